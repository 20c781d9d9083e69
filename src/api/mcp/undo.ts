import { isObject } from '../../json/object.ts'
import type { Called } from './call.ts'
import type { ToolOutput } from './tool.ts'

/** Adds to a write what it changed and what takes it back, which come first: a long body is cut. */
const told = (body: ToolOutput['body'], changed: unknown, undo: object | null): ToolOutput => ({
  ok: true,
  body: { changed, undo, ...body },
})

/**
 * Adds to a write on an assistant what it changed, as its own entry of the history says it, and the call of
 * `restore_assistant` that brings back the entry directly before that.
 * @param unchanged what is said of a write without an entry, which nothing takes back
 */
export function withRestore(assistantId: string, written: Called, unchanged: string): ToolOutput {
  if (!written.ok) return written
  const { body, outcome } = written
  if (!outcome.version) return told(body, unchanged, null)
  const { summary, changes, previous } = outcome.version
  const undo = { tool: 'restore_assistant', arguments: { assistant_id: assistantId, entry_id: previous } }
  return told({ ...body, changes }, summary, previous === null ? null : undo)
}

/** Adds to the making of an assistant what was made, and the call that deletes it. */
export function withDelete(made: Called): ToolOutput {
  if (!made.ok || !isObject(made.body.data)) return made
  const { name, assistant_id } = made.body.data
  const input = { assistantId: assistant_id }
  const undo = { tool: 'call_operation', arguments: { operation: 'assistants.delete', input } }
  return told(made.body, `Created ${name}.`, undo)
}

/** Adds to a delete that nothing takes it back. */
export const withoutUndo = (deleted: Called): ToolOutput =>
  deleted.ok ? told(deleted.body, deleted.body.message, null) : deleted

/** Adds to a write on a number the call of `attach_number` that leads it where it led directly before. */
export function withLeadingBack(number: string, written: Called): ToolOutput {
  if (!written.ok) return written
  const { ledTo = null } = written.outcome
  const set = Object.entries(ledTo ?? {}).filter(([, target]) => target !== null)
  // By its one target, or with none by clearing each.
  const target = set.length > 0 ? Object.fromEntries(set) : ledTo
  const undo = ledTo && { tool: 'attach_number', arguments: { number, ...target } }
  return { ok: true, body: { undo, ...written.body } }
}
