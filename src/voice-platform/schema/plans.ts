import { z } from 'zod'
import { limits } from '../mapping/limits.ts'
import { address, headers, headerValue, plan, text, within } from './validation.ts'

const flag = z.boolean()
const texts = z.array(z.string())
/** A part too large to be modelled here: any object. */
const anyObject = z.record(z.string(), z.unknown())

export const CompliancePlan = plan({
  hipaaEnabled: flag,
  pciEnabled: flag,
  securityFilterPlan: anyObject,
  recordingConsentPlan: anyObject,
})

export const BackgroundSpeechDenoisingPlan = plan({
  smartDenoisingPlan: plan({ enabled: flag }),
  fourierDenoisingPlan: plan({
    enabled: flag,
    mediaDetectionEnabled: flag,
    staticThreshold: within([-80, 0]),
    baselineOffsetDb: within([-30, -5]),
    windowSizeMs: within([1000, 30_000]),
    baselinePercentile: within([1, 99]),
  }),
})

export const StartSpeakingPlan = plan({
  waitSeconds: within(limits.waitSeconds),
  smartEndpointingEnabled: flag.or(z.literal('livekit')),
  smartEndpointingPlan: z.looseObject({ provider: z.enum(['vapi', 'livekit', 'custom-endpointing-model']) }),
  customEndpointingRules: z.array(z.looseObject({ type: z.enum(['assistant', 'customer', 'both']) })),
  transcriptionEndpointingPlan: plan({
    onPunctuationSeconds: within([0, 3]),
    onNoPunctuationSeconds: within([0, 3]),
    onNumberSeconds: within([0, 3]),
  }),
})

export const StopSpeakingPlan = plan({
  numWords: within(limits.numWords),
  voiceSeconds: within(limits.voiceSeconds),
  backoffSeconds: within(limits.backoffSeconds),
  acknowledgementPhrases: z.array(text(240)),
  interruptionPhrases: z.array(text(240)),
})

export const MonitorPlan = plan({
  listenEnabled: flag,
  listenAuthenticationEnabled: flag,
  controlEnabled: flag,
  controlAuthenticationEnabled: flag,
  monitorIds: texts,
})

export const KeypadInputPlan = plan({
  enabled: flag,
  timeoutSeconds: within(limits.keypadTimeoutSeconds),
  delimiters: z.enum(['#', '*', '']),
})

const analysisStep = {
  messages: z.array(anyObject),
  enabled: flag,
  timeoutSeconds: within(limits.analysisTimeoutSeconds),
}
const StructuredDataPlan = plan({ ...analysisStep, schema: anyObject })

export const AnalysisPlan = plan({
  minMessagesThreshold: z.number().min(0),
  summaryPlan: plan(analysisStep),
  structuredDataPlan: StructuredDataPlan,
  structuredDataMultiPlan: z.array(z.strictObject({ key: z.string(), plan: StructuredDataPlan })),
  successEvaluationPlan: plan({
    ...analysisStep,
    rubric: z.enum([
      'NumericScale',
      'DescriptiveScale',
      'Checklist',
      'Matrix',
      'PercentageScale',
      'LikertScale',
      'AutomaticRubric',
      'PassFail',
    ]),
  }),
  outcomeIds: texts,
})

export const ArtifactPlan = plan({
  recordingEnabled: flag,
  recordingFormat: z.enum(['wav;l16', 'mp3']),
  recordingUseCustomStorageEnabled: flag,
  videoRecordingEnabled: flag,
  fullMessageHistoryEnabled: flag,
  pcapEnabled: flag,
  pcapS3PathPrefix: z.string(),
  pcapUseCustomStorageEnabled: flag,
  loggingEnabled: flag,
  loggingUseCustomStorageEnabled: flag,
  transcriptPlan: plan({ enabled: flag, assistantName: z.string(), userName: z.string() }),
  recordingPath: z.string(),
  loggingPath: z.string(),
  structuredOutputIds: texts,
  structuredOutputs: z.array(anyObject),
  scorecardIds: texts,
  scorecards: z.array(anyObject),
})

export const ObservabilityPlan = z.strictObject({
  provider: z.literal('langfuse'),
  tags: texts,
  promptName: z.string().optional(),
  promptVersion: z.number().min(1).optional(),
  traceName: z.string().optional(),
  metadata: anyObject.optional(),
})

export const Server = plan({
  url: address(),
  timeoutSeconds: within(limits.serverTimeoutSeconds),
  credentialId: z.string(),
  staticIpAddressesEnabled: flag,
  encryptedPaths: texts,
  headers,
  backoffPlan: z.strictObject({
    type: z.enum(['fixed', 'exponential']),
    maxRetries: within(limits.serverRetries),
    baseDelaySeconds: within(limits.serverBaseDelaySeconds),
    excludedStatusCodes: z.array(z.number()).optional(),
  }),
})

/** A server wherever it stands: what else it has is the platform's to judge. The secret has an old place there. */
export const AnyServer = z.looseObject({ ...Server.shape, secret: headerValue.optional() })
