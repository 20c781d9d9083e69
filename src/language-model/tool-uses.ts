import type { OpenTools } from './toolbox.ts'

/** One use of a tool in a turn. */
export interface ToolUse {
  name: string
  /** As the model gave them, as JSON. */
  arguments: string
  /** What the tool gave, or why it failed. */
  result: string
  failed: boolean
}

const maxToolUses = 20
const maxArguments = 1_000
const maxResult = 2_000

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Whatever a server or a model sent: the database stores no NUL. */
const shortened = (value: unknown, max: number) => asText(value).replaceAll('\0', '').slice(0, max).toWellFormed()

interface StepPart {
  type: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: unknown
  error?: unknown
  /** A call whose arguments do not fit its tool. */
  invalid?: boolean | undefined
}

const misfit = 'The arguments do not fit the tool.'

/** The uses of known tools in one step. Ids tell results apart within a step only: servers give the same again. */
function usesOf({ content }: { content: readonly StepPart[] }, tools: OpenTools | undefined): ToolUse[] {
  const results = new Map(
    content
      .filter(({ type }) => type === 'tool-result' || type === 'tool-error')
      .map((part) => [part.toolCallId, part] as const),
  )
  const calls = content.filter(
    ({ type, toolName = '' }) => type === 'tool-call' && Object.hasOwn(tools?.tools ?? {}, toolName),
  )
  return calls.map(({ toolCallId, toolName = '', input, invalid }) => {
    const given = results.get(toolCallId)
    const failed = given?.type !== 'tool-result'
    const thrown = given?.error instanceof Error ? given.error.message : given?.error
    const error = invalid ? misfit : thrown
    return {
      name: tools?.nameOf(toolName) ?? toolName,
      arguments: shortened(input, maxArguments),
      result: shortened(failed ? error : given.output, maxResult),
      failed,
    }
  })
}

/** What the tools gave that were called in the steps of a turn. */
export const toolUsesIn = (
  steps: readonly { content: readonly StepPart[] }[],
  tools: OpenTools | undefined,
): ToolUse[] => steps.flatMap((step) => usesOf(step, tools)).slice(0, maxToolUses)
