import { isObject } from '../../json/object.ts'
import type { CallProcedure, ToolOutput } from './tool.ts'

const listOf = (body: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(body.data) ? body.data.filter(isObject) : []

/**
 * Adds to a write on an assistant what it changed, from the newest entry of the assistant's history, and the call of
 * `restore_assistant` that takes it back to the entry before.
 */
export async function withAssistantUndo(
  call: CallProcedure,
  assistantId: string,
  write: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const before = await newestEntries(call, assistantId)
  const written = await write()
  if (!written.ok) return written
  const [newest] = await newestEntries(call, assistantId)
  const [previous] = before
  if (!newest || newest.id === previous?.id) return { ok: true, body: { ...written.body, changed: 'Nothing changed.' } }
  const undo = previous && {
    tool: 'restore_assistant',
    arguments: { assistant_id: assistantId, entry_id: previous.id },
  }
  return { ok: true, body: { ...written.body, changed: newest.summary, changes: newest.changes, undo: undo ?? null } }
}

async function newestEntries(call: CallProcedure, assistantId: string) {
  const { ok, body } = await call('assistantVersions.list', { assistantId, page: 1, per_page: 10 })
  return ok ? listOf(body).filter(({ restorable }) => restorable === true) : []
}
