import type { Vapi } from '@vapi-ai/server-sdk'

/** A plan or selection as it is stored: JSON with our keys, the platform's own, or both. */
export type Settings = Record<string, unknown>

/** An assistant's stored configuration in the write body's names, provider selections included. Absent is like null. */
export interface LiveAssistantConfig {
  firstMessageMode?: string | null
  firstMessageInterruptionsEnabled?: boolean | null
  endCallPhrases?: unknown[] | null
  voicemailDetection?: Settings | null
  maxDurationSeconds?: number | null
  backgroundSound?: string | null
  modelOutputInMessagesEnabled?: boolean | null
  clientMessages?: unknown[] | null
  serverMessages?: unknown[] | null
  transportConfigurations?: unknown[] | null
  transcriber?: Settings | null
  model?: Settings | null
  voice?: Settings | null
  compliancePlan?: Settings | null
  backgroundSpeechDenoisingPlan?: Settings | null
  startSpeakingPlan?: Settings | null
  stopSpeakingPlan?: Settings | null
  monitorPlan?: Settings | null
  keypadInputPlan?: Settings | null
  analysisPlan?: Settings | null
  artifactPlan?: Settings | null
  backgroundDenoisingEnabled?: boolean | null
  observabilityPlan?: Settings | null
  credentialIds?: unknown[] | null
  hooks?: unknown[] | null
}

/** All that decides an assistant's live state. */
export interface LiveAssistantInput {
  /** Stamped into `metadata.external_ref`, by which a create without a response is found again. */
  externalRef: string
  name: string
  /** Rendered texts. */
  firstMessage: string | null
  endCallMessage: string | null
  voicemailMessage: string | null
  /** Rendered messages, the system prompt first. */
  messages: { role: string; content: string }[]
  /** The webhook for call events. */
  serverUrl: string | null
  metadata: Record<string, unknown>
  config: LiveAssistantConfig
}

/** Fields that only null can clear, because the platform has no neutral object for them. */
type ClearedField = 'server' | 'observabilityPlan'

/** The fields that are ours: all of the platform's but `credentials`, whose secrets are set there. */
export type ManagedField = Exclude<keyof Vapi.CreateAssistantDto, 'credentials'>

/** The *total* body: every managed field is present, so that a shallow PATCH leaves no older value behind. */
export type LiveAssistantBody = {
  [F in ManagedField]-?: Exclude<Vapi.CreateAssistantDto[F], undefined> | (F extends ClearedField ? null : never)
}
