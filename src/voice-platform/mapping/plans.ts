import type { Vapi } from '@vapi-ai/server-sdk'
import { serverBackoffPlan, serverTimeoutSeconds } from './defaults.ts'
import type { LiveAssistantBody, LiveAssistantConfig, Settings } from './live-assistant.ts'
import { pick, present } from './settings.ts'

/** Both denoisers, off unless chosen; the plan's own switch wins over `backgroundDenoisingEnabled`. */
export function toDenoisingPlan(config: LiveAssistantConfig): Vapi.BackgroundSpeechDenoisingPlan {
  const plan = present(config.backgroundSpeechDenoisingPlan)
  return {
    smartDenoisingPlan: {
      enabled:
        plan.smartDenoising === undefined ? config.backgroundDenoisingEnabled === true : plan.smartDenoising === true,
      ...present(plan.smartDenoisingPlan),
    },
    fourierDenoisingPlan: { enabled: plan.fourierDenoising === true, ...present(plan.fourierDenoisingPlan) },
  }
}

/** Recording, transcription and retention are ours alone; the platform's own keys pass. */
export function toCompliancePlan(config: LiveAssistantConfig): Vapi.CompliancePlan {
  return pick(present(config.compliancePlan), [
    'hipaaEnabled',
    'pciEnabled',
    'securityFilterPlan',
    'recordingConsentPlan',
  ])
}

/** A switch that every plan which names it must leave on; undefined when none names it. */
function allowed(...switches: unknown[]): boolean | undefined {
  const named = switches.filter((value) => typeof value === 'boolean')
  return named.length === 0 ? undefined : named.every(Boolean)
}

/** What is kept of a call: the compliance plan AND the artifact plan have to allow it. */
export function toArtifactPlan(config: LiveAssistantConfig): Vapi.ArtifactPlan {
  const plan = present(config.artifactPlan)
  const compliance = present(config.compliancePlan)
  const transcriptPlan = present(plan.transcriptPlan)
  return {
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
      'scorecardIds',
    ]),
    recordingEnabled: allowed(compliance.recordingEnabled, plan.recording, plan.recordingEnabled) ?? true,
    transcriptPlan: {
      ...transcriptPlan,
      enabled: allowed(compliance.transcriptionEnabled, plan.transcript, transcriptPlan.enabled) ?? true,
    },
  }
}

/** The artifact plan's `summary` and `analysis` switches; an explicit analysis plan wins, key by key. */
export function toAnalysisPlan(config: LiveAssistantConfig): Vapi.AnalysisPlan {
  const explicit = present(config.analysisPlan)
  const { summary, analysis } = present(config.artifactPlan)
  return {
    ...pick(explicit, ['minMessagesThreshold', 'structuredDataPlan', 'structuredDataMultiPlan', 'outcomeIds']),
    summaryPlan: { enabled: summary !== false, ...present(explicit.summaryPlan) },
    successEvaluationPlan: { enabled: analysis !== false, ...present(explicit.successEvaluationPlan) },
  }
}

/** The platform issues its own `websocketUrl`: ours stays local. */
export function toMonitorPlan(plan: Settings | null | undefined): Vapi.MonitorPlan {
  return {
    listenEnabled: true,
    controlEnabled: true,
    ...pick(present(plan), [
      'listenEnabled',
      'listenAuthenticationEnabled',
      'controlEnabled',
      'controlAuthenticationEnabled',
      'monitorIds',
    ]),
  }
}

/** `terminateOnHash` is the delimiter; `maxDigits` has no counterpart and stays local. */
export function toKeypadInputPlan(plan: Settings | null | undefined): Vapi.KeypadInputPlan {
  const ours = present(plan)
  return {
    enabled: ours.enabled === true,
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
