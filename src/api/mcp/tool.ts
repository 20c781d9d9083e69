import type { z } from 'zod'
import type { RequestContext } from '../context.ts'
import type { Called } from './call.ts'

/** Runs a procedure by its dotted name, such as `assistants.update`, for the tool's caller. */
export type CallProcedure = (name: string, input: object) => Promise<Called>

/** What tools work with: their caller's request, and every procedure. */
export interface ToolContext {
  ctx: RequestContext
  call: CallProcedure
}

/** What a tool returns: a body that is shown as JSON. `undo` names the call that takes a write back. */
export interface ToolOutput {
  ok: boolean
  body: Record<string, unknown>
}

/** How far a tool goes, as clients show it to people: it only reads, it changes, or it removes something for good. */
export type Effect = 'read' | 'change' | 'destroy'

/** A tool for an intent: what a person wants done, over one procedure or a few. */
export interface IntentTool<Schema extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  effect: Effect
  /** The procedures that it calls; they must exist and have a REST face. */
  procedures: readonly string[]
  input: Schema
  run(context: ToolContext, input: z.output<Schema>): Promise<ToolOutput>
}

/** Keeps the input's type within one definition, while a list holds tools of any input. */
export const tool = <Schema extends z.ZodObject>(definition: IntentTool<Schema>): IntentTool =>
  definition as unknown as IntentTool
