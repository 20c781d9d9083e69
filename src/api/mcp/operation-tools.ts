import { z } from 'zod'
import { isObject } from '../../json/object.ts'
import type { Operation } from '../operations.ts'
import { type IntentTool, tool } from './tool.ts'
import { withDelete, withoutUndo, withRestore } from './undo.ts'

const maxFound = 8

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

const maxQueryLength = 200

/** An operation with what it is found by, and shown with; both are made once. */
function searchable(operation: Operation) {
  const { summary = '', description = '' } = operation.meta.openapi
  const text = `${operation.name} ${summary} ${operation.path} ${description}`.toLowerCase()
  let made: ReturnType<typeof shown> | undefined
  return {
    /** How many of the words its name, summary, path and description hold. */
    score: (words: readonly string[]) => words.filter((word) => text.includes(word.replace(/s$/, ''))).length,
    shown() {
      made ??= shown(operation)
      return made
    },
  }
}

const inputSchemaOf = ({ inputs }: Operation): unknown => {
  const [schema] = inputs
  if (!(schema instanceof z.ZodType)) return {}
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' })
}

/** An operation as a client reads it before it calls it. */
const shown = (operation: Operation) => ({
  operation: operation.name,
  summary: operation.meta.openapi.summary,
  rest: `${operation.methods[0]} ${operation.path}`,
  effect: operation.type === 'query' ? 'reads' : 'writes',
  input: inputSchemaOf(operation),
})

/** The operations that make an assistant. */
const creates: ReadonlySet<string> = new Set(['assistants.create', 'assistantBuilder.create'])

const assistantIn = (input: unknown): string | undefined =>
  isObject(input) && typeof input.assistantId === 'string' ? input.assistantId : undefined

/** The two tools that reach every procedure which no intent has a tool for. Uploads and downloads go over REST. */
export function operationTools(operations: ReadonlyMap<string, Operation>): IntentTool[] {
  const callable = [...operations.values()].filter(({ meta }) => !meta.multipart && !meta.download)
  const entries = callable.map(searchable)
  return [
    tool({
      name: 'search_operations',
      description: 'Find any other operation by words, such as "rotate widget key"; returns its input schema.',
      effect: 'read',
      procedures: [],
      input: z.object({ query: z.string().max(maxQueryLength) }),
      async run(_context, { query }) {
        const words = wordsOf(query)
        const found = entries
          .map((entry) => ({ entry, points: entry.score(words) }))
          .filter(({ points }) => points > 0)
          .sort((a, b) => b.points - a.points)
          .slice(0, maxFound)
        return { ok: true, body: { operations: found.map(({ entry }) => entry.shown()) } }
      },
    }),
    tool({
      name: 'call_operation',
      description: 'Run an operation that search_operations found. Deletes cannot be taken back.',
      effect: 'destroy',
      procedures: [],
      input: z.object({ operation: z.string(), input: z.record(z.string(), z.unknown()).optional() }),
      async run({ call }, { operation: name, input = {} }) {
        const operation = callable.find((candidate) => candidate.name === name)
        if (!operation) return { ok: false, body: { message: `There is no operation ${name}: search for it first.` } }
        const called = await call(name, input)
        if (operation.type === 'query') return called
        if (creates.has(name)) return withDelete(called)
        const assistantId = assistantIn(input)
        // A reconciliation deletes where the platform has nothing any more.
        const isDelete = operation.methods.includes('DELETE') || (assistantId && called.body.data === null)
        if (isDelete) return withoutUndo(called)
        return assistantId ? withRestore(assistantId, called, 'Nothing that the history records.') : called
      },
    }),
  ]
}
