import type { z } from 'zod'
import type { Message, Usage } from './schema.ts'
import type { Generation, MessageRow } from './table.ts'

/** A message as it is answered, without usage. */
export const messageRecord = (row: MessageRow): z.input<typeof Message> => ({
  id: row.id,
  object: 'message',
  role: row.role,
  content: row.content,
  model: row.model,
  created_at: row.createdAt.toISOString(),
})

/** The tokens of a turn as they are answered. */
export const usageRecord = ({ usage }: Generation): z.input<typeof Usage> => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
})
