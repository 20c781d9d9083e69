import type { Vapi } from '@vapi-ai/server-sdk'

/** The provider selections of an assistant that names none (contract: mirror 5). */
export const defaultModel = { provider: 'openai', model: 'gpt-4.1' } as const
export const defaultVoice = { provider: 'vapi', voiceId: 'Elliot' } as const
export const defaultTranscriber = { provider: 'deepgram', model: 'nova-3' } as const
export const defaultVoicemailProvider = 'vapi'

/** The platform's own neutral values, sent in place of absent fields so that a PATCH leaves nothing behind. */
export const defaultMaxDurationSeconds = 600
export const defaultFirstMessageMode = 'assistant-speaks-first'

export const defaultClientMessages: Vapi.CreateAssistantDtoClientMessagesItem[] = [
  'conversation-update',
  'function-call',
  'hang',
  'model-output',
  'speech-update',
  'status-update',
  'transfer-update',
  'transcript',
  'tool-calls',
  'user-interrupted',
  'voice-input',
  'workflow.node.started',
  'assistant.started',
]

export const defaultServerMessages: Vapi.CreateAssistantDtoServerMessagesItem[] = [
  'conversation-update',
  'end-of-call-report',
  'function-call',
  'hang',
  'speech-update',
  'status-update',
  'tool-calls',
  'transfer-destination-request',
  'handoff-destination-request',
  'user-interrupted',
  'assistant.started',
]

/** Of plans, so that each switch is sent. */
export const defaultPlans = {
  compliancePlan: {},
  backgroundSpeechDenoisingPlan: { smartDenoisingPlan: { enabled: false }, fourierDenoisingPlan: { enabled: false } },
  startSpeakingPlan: {},
  stopSpeakingPlan: {},
  monitorPlan: { listenEnabled: true, controlEnabled: true },
  keypadInputPlan: { enabled: false },
  analysisPlan: { summaryPlan: { enabled: true }, successEvaluationPlan: { enabled: true } },
  artifactPlan: { recordingEnabled: true, transcriptPlan: { enabled: true } },
} as const

/** The platform retries no webhook unless it is told to; these take more than three minutes. */
export const serverTimeoutSeconds = 20
export const serverBackoffPlan = { type: 'exponential', maxRetries: 8, baseDelaySeconds: 1 } as const

/** What an assistant has on the platform where its object says nothing. */
export const assistantDefaults = {
  firstMessageMode: defaultFirstMessageMode,
  firstMessageInterruptionsEnabled: false,
  voicemailDetection: 'off',
  maxDurationSeconds: defaultMaxDurationSeconds,
  backgroundSound: 'off',
  modelOutputInMessagesEnabled: false,
  clientMessages: defaultClientMessages,
  serverMessages: defaultServerMessages,
} as const
