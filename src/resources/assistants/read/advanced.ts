import type { AccountContext } from '../../../api/context.ts'
import { mergedWithLive } from '../outside/merged.ts'
import { assistantRecord, requireAssistant } from './record.ts'

/**
 * The assistant merged with its live configuration; greeting and end-call text as they were written
 * (contract: assistants 29). While the platform is out of reach, it is as it was last saved. Throws 404.
 */
export async function getAdvanced(ctx: AccountContext, input: { assistantId: string }) {
  const row = await requireAssistant(ctx, input.assistantId)
  const record = assistantRecord(await mergedWithLive(ctx, row))
  const data = { ...record, first_message: record.first_message_raw, end_call_message: record.end_call_message_raw }
  return data
}
