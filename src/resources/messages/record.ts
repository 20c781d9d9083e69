import type { z } from 'zod'
import type { ListedMessage, Message, Usage } from './schema.ts'
import type { Generation, MessageRow } from './table.ts'

/** A message as it is returned, without usage. */
export const messageRecord = (row: MessageRow): z.input<typeof Message> => ({
  id: row.id,
  object: 'message',
  role: row.role,
  content: row.content,
  model: row.model,
  created_at: row.createdAt.toISOString(),
})

/** The same with what a reply was made from; both lists are empty for a reply of an earlier version. */
export function messageWithSources(row: MessageRow): z.input<typeof ListedMessage> {
  const { toolUses = [], citations = [] } = row.generation ?? {}
  return { ...messageRecord(row), ...(row.model !== null && { tool_uses: toolUses, citations }) }
}

/** The tokens of a turn as they are returned. */
export const usageRecord = ({ usage }: Generation): z.input<typeof Usage> => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
})
