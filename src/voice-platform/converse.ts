/** A message of a conversation. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** Answers a conversation: the language model, or what stands in for one. */
export type Converse = (messages: readonly ChatMessage[], assistantId: string | undefined) => Promise<string>
