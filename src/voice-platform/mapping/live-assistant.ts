import type { Vapi } from '@vapi-ai/server-sdk'

/** A plan or selection as it is stored: JSON with our keys, the platform's own, or both. */
export type Settings = Record<string, unknown>

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

/** The fields that a record has among its settings, and not as columns of their own. */
export type ConfigField = Exclude<ManagedField, 'name' | 'server' | 'metadata'>

type Part = 'transcriber' | 'model' | 'voice' | 'voicemailDetection'

/** An assistant's stored configuration in the write body's names, provider selections included. Absent is like null. */
export type LiveAssistantConfig = { [F in ConfigField | 'backgroundDenoisingEnabled']?: unknown } & {
  [P in Part]?: Settings | null
}
