import type { Write } from '../book.ts'
import { type Json, listAt, objectAt, read, readAll } from '../clients/api.ts'
import type { World } from '../clients/world.ts'
import { clean, merge, type Verdict } from './verdict.ts'
import { describe } from './writes.ts'

const embedPath = 'widget_embed_config.title'

const same = (one: unknown, other: unknown) => Bun.deepEquals(one ?? null, other ?? null)

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value by the paths of its leaves: a change may name a whole object or a part of it. */
function leaves(path: string, value: unknown): [path: string, value: unknown][] {
  if (!isObject(value)) return [[path, value ?? null]]
  return Object.entries(value).flatMap(([name, item]) => leaves(`${path}.${name}`, item))
}

/** Every entry goes on from the one before it: what a path changed to is what it changes from next. */
function judgeChain(name: unknown, entries: readonly Json[]): { broken: string[]; last: Map<string, unknown> } {
  const last = new Map<string, unknown>()
  const broken: string[] = []
  for (const { id, changes, ...entry } of entries) {
    for (const { path, from, to } of listAt({ ...entry, changes }, 'changes')) {
      for (const [leaf, value] of leaves(String(path), from)) {
        if (!last.has(leaf) || same(last.get(leaf), value)) continue
        const before = JSON.stringify(last.get(leaf))
        broken.push(`history of ${name}: entry ${id} changes ${leaf} from ${JSON.stringify(value)}, not ${before}`)
      }
      for (const [leaf, value] of leaves(String(path), to)) last.set(leaf, value)
    }
  }
  return { broken, last }
}

/** Acknowledged writes are in the history, refused ones are not, and their order is the order of the answers. */
function judgeEntries(name: unknown, entries: readonly Json[], writes: readonly Write[], path: string): Verdict {
  const verdict = clean()
  const places = new Map<unknown, number>()
  for (const [index, entry] of entries.entries()) {
    for (const change of listAt(entry, 'changes')) {
      for (const [leaf, value] of leaves(String(change.path), change.to)) if (leaf === path) places.set(value, index)
    }
  }
  for (const write of writes) {
    const place = places.get(write.token)
    if (write.outcome === 'done' && place === undefined) {
      verdict.losses.push(`history of ${name} has nothing of the ${describe(write)}`)
    }
    if (write.outcome === 'refused' && place !== undefined) {
      verdict.divergences.push(`history of ${name} has the refused ${describe(write)}`)
    }
    if (write.outcome !== 'done' || place === undefined) continue
    const early = writes.find(
      (later) => later.startedAt > write.endedAt && (places.get(later.token) ?? Number.POSITIVE_INFINITY) < place,
    )
    if (early && write.tries === 1) {
      verdict.histories.push(`history of ${name} has the ${describe(early)} before the ${describe(write)}`)
    }
  }
  return verdict
}

/** Judges the histories of all assistants, and what the newest entries say against the records. */
export async function judgeHistories(world: World, assistants: readonly Json[]): Promise<Verdict> {
  const { mirrored, book } = world
  const verdict = clean()
  for (const record of assistants) {
    const id = String(record.assistant_id)
    const entries = (await readAll(mirrored.servers, mirrored.token, `/assistants/${id}/update-log`)).reverse()
    const { broken, last } = judgeChain(record.name, entries)
    verdict.histories.push(...broken)
    const updates = (subject: 'assistant' | 'embed') => book.of(subject, id).filter(({ action }) => action === 'update')
    merge(verdict, judgeEntries(record.name, entries, updates('assistant'), 'name'))
    merge(verdict, judgeEntries(record.name, entries, updates('embed'), embedPath))
    if (last.has('name') && last.get('name') !== record.name) {
      verdict.histories.push(`assistant ${record.name} is named ${last.get('name')} in its history`)
    }
    const embed = await read(mirrored.servers, mirrored.token, { method: 'GET', path: `/assistants/${id}/embed` })
    const { title } = objectAt(objectAt(embed, 'data'), 'embed_config')
    if (!same(last.get(embedPath), title)) {
      verdict.histories.push(`widget of ${record.name} shows ${title}, its history ${last.get(embedPath)}`)
    }
  }
  return verdict
}
