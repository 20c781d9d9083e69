import type { Vapi } from '@vapi-ai/server-sdk'
import { serverBackoffPlan, serverTimeoutSeconds } from './defaults.ts'
import type { LiveAssistantBody, Settings } from './live-assistant.ts'
import { pick, present, said, switchOf } from './settings.ts'

/** Both denoisers; the plan's own switch wins over `backgroundDenoisingEnabled`. */
export function toDenoisingPlan(config: Settings): Vapi.BackgroundSpeechDenoisingPlan {
  const plan = present(config.backgroundSpeechDenoisingPlan)
  const { smartDenoising: smart = switchOf(config.backgroundDenoisingEnabled), fourierDenoising: fourier } = plan
  return said({
    smartDenoisingPlan: said({ enabled: smart && smart === true, ...present(plan.smartDenoisingPlan) }),
    fourierDenoisingPlan: said({ enabled: fourier && fourier === true, ...present(plan.fourierDenoisingPlan) }),
  })
}

/** Recording, transcription and retention are ours alone; the platform's own keys pass. */
export function toCompliancePlan(config: Settings): Vapi.CompliancePlan {
  return pick(present(config.compliancePlan), [
    'hipaaEnabled',
    'pciEnabled',
    'securityFilterPlan',
    'recordingConsentPlan',
  ])
}

/**
 * A switch that every plan which names it must leave on; undefined when none does. A compliance plan can only turn it
 * off.
 */
function allowed(compliance: unknown, ...switches: unknown[]): boolean | undefined {
  if (compliance === false) return false
  const named = switches.map(switchOf).filter((value) => value !== undefined)
  return named.length === 0 ? undefined : named.every(Boolean)
}

/** What is kept of a call: the compliance plan AND the artifact plan have to allow it. */
export function toArtifactPlan(config: Settings): Vapi.ArtifactPlan {
  const plan = present(config.artifactPlan)
  const compliance = present(config.compliancePlan)
  const { enabled, ...transcriptPlan } = present(plan.transcriptPlan)
  return said({
    ...pick(plan, [
      'recordingFormat',
      'recordingUseCustomStorageEnabled',
      'videoRecordingEnabled',
      'fullMessageHistoryEnabled',
      'pcapEnabled',
      'pcapS3PathPrefix',
      'pcapUseCustomStorageEnabled',
      'loggingEnabled',
      'loggingUseCustomStorageEnabled',
      'recordingPath',
      'loggingPath',
      'structuredOutputIds',
      'structuredOutputs',
      'scorecardIds',
      'scorecards',
    ]),
    recordingEnabled: allowed(compliance.recordingEnabled, plan.recording, plan.recordingEnabled),
    transcriptPlan: said({
      ...transcriptPlan,
      enabled: allowed(compliance.transcriptionEnabled, plan.transcript, enabled),
    }),
  })
}

/** The artifact plan's `summary` and `analysis` switches; an explicit analysis plan wins, key by key. */
export function toAnalysisPlan(config: Settings): Vapi.AnalysisPlan {
  const explicit = present(config.analysisPlan)
  const { summary, analysis } = present(config.artifactPlan)
  return said({
    ...pick(explicit, ['minMessagesThreshold', 'structuredDataPlan', 'structuredDataMultiPlan', 'outcomeIds']),
    summaryPlan: said({ enabled: switchOf(summary), ...present(explicit.summaryPlan) }),
    successEvaluationPlan: said({ enabled: switchOf(analysis), ...present(explicit.successEvaluationPlan) }),
  })
}

/** The platform issues its own `websocketUrl`: ours stays local. */
export function toMonitorPlan(config: Settings): Vapi.MonitorPlan {
  return pick(present(config.monitorPlan), [
    'listenEnabled',
    'listenAuthenticationEnabled',
    'controlEnabled',
    'controlAuthenticationEnabled',
    'monitorIds',
  ])
}

/** `terminateOnHash` is the delimiter; `maxDigits` has no counterpart and stays local. */
export function toKeypadInputPlan(config: Settings): Vapi.KeypadInputPlan {
  const ours = present(config.keypadInputPlan)
  return {
    ...('enabled' in ours ? { enabled: ours.enabled === true } : {}),
    ...(typeof ours.terminateOnHash === 'boolean' ? { delimiters: ours.terminateOnHash ? '#' : '' } : {}),
    ...pick(ours, ['timeoutSeconds', 'delimiters']),
  }
}

/** The webhook block, with retries, which the platform does not make by itself; null clears the block. */
export function toServer(url: string | null): LiveAssistantBody['server'] {
  if (!url) return null
  return {
    url,
    timeoutSeconds: serverTimeoutSeconds,
    // The description types `type` as an object although it is one of two strings.
    backoffPlan: serverBackoffPlan as unknown as Vapi.BackoffPlan,
  }
}
