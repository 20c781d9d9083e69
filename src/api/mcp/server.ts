import type { McpServer } from '@modelcontextprotocol/server'
import { version } from '../../runtime/version.ts'
import type { RequestContext } from '../context.ts'
import type { Operation } from '../operations.ts'
import { callOperation } from './call.ts'
import type { CallProcedure, Effect, IntentTool } from './tool.ts'

/** What a client's context has room for. */
const maxTextLength = 60_000

const annotationsOf = (effect: Effect) => ({
  readOnlyHint: effect === 'read',
  destructiveHint: effect === 'destroy',
  openWorldHint: false,
})

/** What of a write can be read again: the record, and its changes. */
const readAgain = ['data', 'changes']

/**
 * A body as JSON. Of a longer one, a write leaves out what can be read again, and anything else is cut; both say so.
 */
function textOf(body: Record<string, unknown>): string {
  const text = JSON.stringify(body)
  if (text.length <= maxTextLength) return text
  for (const left of 'undo' in body ? [...readAgain.map((key) => [key]), readAgain] : []) {
    const cut = `${text.length} characters in all; without ${left.join(' and ')}`
    const rest = Object.entries(body).filter(([key]) => !left.includes(key))
    const short = JSON.stringify({ ...Object.fromEntries(rest), cut })
    if (short.length <= maxTextLength) return short
  }
  return `${text.slice(0, maxTextLength)}\n(cut: ${text.length} characters in all; ask for a page or one entry)`
}

/** The tools as a server for one caller: each call passes the gates of the procedures that it runs. */
export function serverFor(
  make: typeof McpServer,
  ctx: RequestContext,
  tools: readonly IntentTool[],
  operations: ReadonlyMap<string, Operation>,
): McpServer {
  const server = new make({ name: 'switchboard', version })
  const call: CallProcedure = async (name, input) => {
    const operation = operations.get(name)
    if (!operation) return { ok: false, body: { message: `There is no operation ${name}.` } }
    const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    return callOperation(ctx, operation, sent)
  }
  for (const { name, description, effect, input, run } of tools) {
    const config = { description, inputSchema: input, annotations: annotationsOf(effect) }
    server.registerTool(name, config, async (given) => {
      const { ok, body } = await run({ ctx, call }, given)
      return { isError: !ok, content: [{ type: 'text', text: textOf(body) }] }
    })
  }
  return server
}
