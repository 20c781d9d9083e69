import { structuredPatch } from 'diff'
import { isObject, type Json } from '../../json/object.ts'
import { fillingsOf } from '../../voice-platform/mapping/placeholders.ts'
import type { Sources } from '../assistants/rendering/sources.ts'
import { changesBetween, maxChangesWeight } from './changes.ts'
import { type Configuration, comparable } from './configuration.ts'
import { withoutCopies } from './copies.ts'
import type { Change } from './table.ts'
import { weightOf } from './weight.ts'

/** What ids in a configuration are called: the entries that it was rendered from, and tools by their ids. */
export interface Names {
  sources: Sources
  tools: ReadonlyMap<string, string>
}

/** The name of what an id leads to, or the names of several; undefined for what is no id. */
type NameOf = (names: Names, value: unknown) => string | string[] | undefined

const named = new Map<string, NameOf>(
  Object.entries<NameOf>({
    template_id: ({ sources }) => sources.template?.name,
    personality_id: ({ sources }) => sources.personality?.name,
    base_config_id: ({ sources }) => sources.baseConfig?.name,
    industry_template_id: ({ sources }) => sources.industry?.name,
    layer2_key: ({ sources }) => sources.preset?.name,
    'model.toolIds': ({ tools }, ids) =>
      Array.isArray(ids) ? ids.map((id) => tools.get(String(id)) ?? String(id)) : undefined,
  }),
)

/** Whether a path holds an id that has a name. */
export const isNamed = (path: string): boolean => named.has(path)

/** Messages by their place, so that one that changed is told alone. */
function byPlace(holder: unknown): unknown {
  if (!isObject(holder) || !Array.isArray(holder.messages)) return holder
  return { ...holder, messages: { ...holder.messages } }
}

const messagesIn = (holder: unknown) => isObject(holder) && Array.isArray(holder.messages) && holder.messages.length > 0

function comparablePair(before: Configuration, after: Configuration): [Json, Json] {
  const [one, other] = [comparable(before), comparable(after)]
  for (const part of ['model', 'rendered']) {
    if (!messagesIn(one[part]) || !messagesIn(other[part])) continue
    one[part] = byPlace(one[part])
    other[part] = byPlace(other[part])
  }
  return [one, other]
}

const isLong = (text: string) => text.length > 200 || text.includes('\n')
const contextLines = 2
const maxDiffLines = 500
/** Lines of two texts together: of more, not even few changes are found fast. */
const maxComparedLines = 20_000
/** Lines that may differ in all texts of a comparison together. The work grows with the square of what one text has. */
const maxEdits = 1_200

const linesIn = (text: string) => text.split('\n').length
const ended = (text: string) => (text === '' ? '' : `${text}\n`)

/**
 * Finds the lines that differ, marked `-` and `+`, with some around them; undefined for short texts and hopeless cases.
 * A text may spend half of what the texts before it left, so that a hopeless one leaves something to the others.
 * @param room what all lines may weigh
 */
function lineDiffs(room: number): (from: unknown, to: unknown) => string[] | undefined {
  let left = maxEdits
  let free = room
  return (from, to) => {
    if (typeof from !== 'string' || typeof to !== 'string' || !(isLong(from) || isLong(to))) return undefined
    if (linesIn(from) + linesIn(to) > maxComparedLines) return undefined
    const maxEditLength = Math.floor(left / 2)
    const options = { context: contextLines, maxEditLength }
    const lines = structuredPatch('', '', ended(from), ended(to), '', '', options)?.hunks.flatMap((hunk) => hunk.lines)
    left -= lines ? lines.filter((line) => !line.startsWith(' ')).length : maxEditLength
    const shown = lines?.slice(0, maxDiffLines)
    const weight = weightOf(shown ?? [])
    if (weight > free) return undefined
    free -= weight
    return shown
  }
}

/**
 * What differs between two configurations, as people read it: secrets masked, long texts by their lines, names beside
 * ids, and rendered copies only where nothing else says why they changed.
 */
export function readableChanges(
  [before, after]: [Configuration, Configuration],
  [beforeNames, afterNames]: [Names, Names],
): Change[] {
  const { personality } = afterNames.sources
  const { name, metadata, type, webhook_url: webhookUrl, personality_id: personalityId } = after
  const fillings = fillingsOf({ metadata, type, webhookUrl, personalityId }, personality)
  const renderedWith = { name, metadata: fillings, personality: personality?.prompt }
  const changes = withoutCopies(changesBetween(...comparablePair(before, after)), renderedWith)
  const linesBetween = lineDiffs(maxChangesWeight - weightOf(changes))
  return changes.map((change) => {
    const nameOf = named.get(change.path)
    const diff = linesBetween(change.from, change.to)
    const fromName = change.from === undefined ? undefined : nameOf?.(beforeNames, change.from)
    const toName = change.to === undefined ? undefined : nameOf?.(afterNames, change.to)
    return {
      ...change,
      ...(diff && { diff }),
      ...(fromName !== undefined && { from_name: fromName }),
      ...(toName !== undefined && { to_name: toName }),
    }
  })
}
