/** A closed range of numbers. */
export type Range = readonly [min: number, max: number]

/** The platform's limits on an assistant, as its description states them. */
export const limits = {
  name: 40,
  message: 1000,
  endCallPhrase: [2, 140],
  maxDurationSeconds: [10, 43_200],
  maxTokens: [50, 10_000],
  temperature: [0, 2],
  keypadTimeoutSeconds: [0, 10],
  waitSeconds: [0, 5],
  backoffSeconds: [0, 10],
  numWords: [0, 10],
  voiceSeconds: [0, 0.5],
  beepMaxAwaitSeconds: [0, 30],
  serverTimeoutSeconds: [1, 300],
  serverRetries: [0, 10],
  serverBaseDelaySeconds: [0, 10],
  analysisTimeoutSeconds: [1, 60],
} as const satisfies Record<string, number | Range>

const inMs = ([min, max]: Range): Range => [min * 1000, max * 1000]

/**
 * What requests may say, by the fields of the write body, where the platform or a provider has bounds as well
 * (contract: assistants 4).
 */
export const requestBounds = {
  maxDurationSeconds: limits.maxDurationSeconds,
  'model.maxTokens': [1, Number.MAX_SAFE_INTEGER],
  'transcriber.confidenceThreshold': [0, 1],
  'voice.speed': [0.25, 4],
  'startSpeakingPlan.initialDelayMs': inMs(limits.waitSeconds),
  'stopSpeakingPlan.initialDelayMs': inMs(limits.backoffSeconds),
} as const satisfies Record<string, Range>

/** Speeds per voice provider; a provider that is not here takes no `speed`. */
export const voiceSpeeds: Readonly<Record<string, Range>> = {
  '11labs': [0.7, 1.2],
  azure: [0.5, 2],
  lmnt: [0.25, 2],
  microsoft: [0.5, 2],
  minimax: [0.5, 2],
  neuphonic: [0.25, 2],
  openai: [0.25, 4],
  playht: [0.1, 5],
  'rime-ai': [0.1, 4],
  'smallest-ai': [0.25, 4],
  vapi: [0.25, 2],
  xai: [0.7, 1.5],
}

/** Confidence thresholds per transcriber; one that is not here takes none. */
export const transcriberConfidence: Readonly<Record<string, Range>> = {
  '11labs': [0.1, 0.9],
  'assembly-ai': [0, 1],
  deepgram: [0, 1],
  gladia: [0, 1],
}

/** Model providers that take no `maxTokens`. */
export const modelsWithoutMaxTokens: ReadonlySet<string> = new Set(['vapi'])

export const firstMessageModes = [
  'assistant-speaks-first',
  'assistant-speaks-first-with-model-generated-message',
  'assistant-waits-for-user',
] as const

export const messageRoles = ['assistant', 'function', 'user', 'system', 'tool'] as const

/** Message types for the browser widget. */
export const clientMessages = [
  'conversation-update',
  'assistant.speechStarted',
  'function-call',
  'function-call-result',
  'hang',
  'language-changed',
  'metadata',
  'model-output',
  'speech-update',
  'status-update',
  'transcript',
  'tool-calls',
  'tool-calls-result',
  'tool.completed',
  'transfer-update',
  'user-interrupted',
  'voice-input',
  'workflow.node.started',
  'assistant.started',
] as const

/** Message types for the webhook. */
export const serverMessages = [
  'assistant.started',
  'assistant.speechStarted',
  'conversation-update',
  'end-of-call-report',
  'function-call',
  'hang',
  'language-changed',
  'language-change-detected',
  'model-output',
  'phone-call-control',
  'speech-update',
  'status-update',
  'transcript',
  'transcript[transcriptType="final"]',
  'tool-calls',
  'transfer-destination-request',
  'handoff-destination-request',
  'transfer-update',
  'user-interrupted',
  'voice-input',
  'chat.created',
  'chat.deleted',
  'session.created',
  'session.updated',
  'session.deleted',
  'call.deleted',
  'call.delete.failed',
  'call.artifact.upload',
] as const

/** The nearest number within the range. */
export function clamp(value: number, [min, max]: Range): number {
  return Math.min(max, Math.max(min, value))
}

/** The first `max` code points of a text. */
export function clip(text: string, max: number): string {
  const characters = [...text]
  return characters.length > max ? characters.slice(0, max).join('') : text
}
