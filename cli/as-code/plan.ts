import { createHash } from 'node:crypto'
import { z } from 'zod'
import { leavesOf } from './diff.ts'
import { type Kind, keyOf, kinds, type Local } from './document.ts'
import { withReferences } from './secrets.ts'
import { kindsOf, type Named } from './workspace.ts'
import { toYaml } from './yaml.ts'

const Change = z.object({
  /** `keep`: only on the server, and not to be deleted. */
  action: z.enum(['create', 'update', 'delete', 'keep']),
  kind: z.enum(kinds),
  slug: z.string(),
  /** That of the server; absent for what is made. */
  id: z.string().optional(),
  /** The tag that the resource had; absent for what is made. */
  etag: z.string().optional(),
  /** A hash of what the server had, without secrets. */
  there: z.string().optional(),
  /** A hash of the file. */
  file: z.string().optional(),
  leaves: z.array(z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() })),
})
export type Change = z.output<typeof Change>

/** What an apply does, in its order. A saved one is applied only as long as both sides are as it says. */
export const Plan = z.object({ version: z.literal(1), server: z.string(), changes: z.array(Change) })
export type Plan = z.output<typeof Plan>

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Whether an apply would do anything. */
export const isEmpty = ({ changes }: Plan) => changes.every(({ action }) => action === 'keep')

/**
 * What makes the server's workspace what the folder says: what is named by others is made before them, and deleted
 * after them.
 * @param remove whether what has no file is deleted; without it, that is only shown
 */
export function planOf(
  server: string,
  { locals, named, remove, env }: { locals: Local[]; named: Named[]; remove: boolean; env: NodeJS.ProcessEnv },
): Plan {
  const byKey = new Map(named.map((one) => [keyOf(one), one]))
  const files = new Set(locals.map(keyOf))
  const written = locals.flatMap((local): Change[] => {
    const { kind, slug, document } = local
    const there = byKey.get(keyOf(local))
    const file = hashOf(toYaml(document))
    const hidden = there ? withReferences(kind, slug, there.document) : {}
    const leaves = leavesOf(there?.document ?? {}, hidden, document, env)
    if (!there) return [{ action: 'create', kind, slug, file, leaves }]
    const { id, etag } = there
    return leaves.length > 0
      ? [{ action: 'update', kind, slug, id, etag, there: hashOf(toYaml(hidden)), file, leaves }]
      : []
  })
  const others = named.filter((one) => !files.has(keyOf(one)))
  const gone = others.map(({ kind, slug, id, etag, document }): Change => {
    const action = remove && kindsOf[kind].remove ? 'delete' : 'keep'
    return { action, kind, slug, id, etag, there: hashOf(toYaml(withReferences(kind, slug, document))), leaves: [] }
  })
  const ofKind = (changes: Change[], order: readonly Kind[]) =>
    order.flatMap((kind) => changes.filter((change) => change.kind === kind))
  return {
    version: 1,
    server,
    changes: [...ofKind(written, kinds), ...ofKind(gone, kinds.toReversed())],
  }
}

/**
 * What a saved plan and one made now do not agree on: a line for each resource; empty when the saved one still holds.
 */
export function movedSince(saved: Plan, now: Plan): string[] {
  const mark = ({ action, there, file, id }: Change) => JSON.stringify([action, there, file, id])
  const [before, after] = [saved, now].map(
    ({ changes }) =>
      new Map(changes.filter(({ action }) => action !== 'keep').map((one) => [keyOf(one), one] as const)),
  )
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  return [...keys].filter((key) => {
    const [was, is] = [before?.get(key), after?.get(key)]
    return !was || !is || mark(was) !== mark(is)
  })
}
