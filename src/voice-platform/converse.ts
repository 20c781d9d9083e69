import type { Transaction } from '../db/client.ts'
import type { TextListener } from '../language-model/reasoning.ts'

/** A message of a conversation. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** A tool that may be called while a reply is made. */
export interface CallableTool {
  /** As models take it: letters, digits, `_` and `-`. */
  name: string
  description: string
  /** A JSON Schema of an object. */
  parameters: Record<string, unknown>
  /** What it gave, or what went wrong, as a text; never rejects. */
  call(input: unknown): Promise<string>
}

/** Whom a call is run for; who pays is another matter. */
export interface Asker {
  userId: number
  tokenId: number
}

/** Who speaks, by the platform's ids, and with which tools. */
export interface Speaker {
  assistantId: string | undefined
  /** The number of the call; it says who pays for an assistant that is stored nowhere. */
  phoneNumberId?: string | undefined
  tools?: readonly CallableTool[]
  /** Under whose limits; nobody's unless given. */
  asker?: Asker | undefined
  /** Whether it speaks on the phone. */
  onPhone?: boolean
  /** What the speaker is; `an assistant` unless given. */
  as?: string
}

/** Who reads a reply while it is written. */
export interface Reader {
  /** Hears the text; nobody does unless given. */
  onText?: TextListener | undefined
  /** Aborts when nobody waits for the reply any more. */
  signal?: AbortSignal | undefined
  /** Keeps the reply where it is charged; nobody does unless given. */
  keep?: KeepReply | undefined
}

/**
 * Keeps a reply in the transaction in which it is charged; throws where it is kept no more, and nothing is charged
 * then.
 */
export type KeepReply = (reply: string, charge: (tx: Transaction) => Promise<unknown>) => Promise<void>

/** Replies to a conversation: the language model, or what stands in for one. */
export type Converse = (messages: readonly ChatMessage[], speaker: Speaker, reader?: Reader) => Promise<string>
