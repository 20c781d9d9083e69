import { all, type Body, forEach, type World } from './world.ts'

/** Fields that owners and people on the dashboard change. */
const fields = ['firstMessage', 'endCallMessage', 'voicemailMessage'] as const
type Field = (typeof fields)[number]

/** What is done to one assistant, one step after the other. */
interface Subject {
  path: string
  liveId: string
  /** What was changed outside since the last save. */
  open: Map<Field, string>
  /** What was changed outside when a save came. */
  met: { field: Field; value: string }[]
}

export interface Edits {
  assistants: number
  edits: number
  /** From 0 to 1. */
  random(): number
  /** Assistants that are worked on at once. */
  atOnce: number
}

/** What became of the changes that were made outside. */
export interface Seen {
  edits: number
  saves: number
  /** Values that were still outside when the sweep began, and those of them that it found. */
  open: number
  found: number
  /** Values that a save met, and those of them that the history has as a version of the platform's. */
  met: number
  kept: number
  /** Everything else. */
  lost: string[]
}

async function subjects(world: World, count: number): Promise<Subject[]> {
  const made: Subject[] = []
  await forEach(
    Array.from({ length: count }, (_, place) => place),
    8,
    async (place) => {
      const record = await world.data('POST', '/assistants', { name: `Edited ${place}` })
      const path = `/assistants/${record.assistant_id}`
      made.push({ path, liveId: String(record.voice_assistant_id), open: new Map(), met: [] })
    },
  )
  return made
}

const isChangeTo = (change: unknown, { field, value }: { field: Field; value: string }): boolean => {
  const { path, to }: Body = { ...(change as Body) }
  return path === field && to === value
}

/**
 * Changes assistants at random on the platform, while owners save them in between and others are worked on at the same
 * time; then one sweep looks at everything. Every value that was outside when a save came has to be a version, every
 * value that is still outside has to be found.
 */
export async function outsideEdits(world: World, { assistants, edits, random, atOnce }: Edits): Promise<Seen> {
  const made = await subjects(world, assistants)
  const one = <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(random() * items.length)] ?? items[0]
  const steps = Array.from({ length: edits }, (_, number) => ({
    number,
    field: one(fields),
    save: random() < 0.2 ? one(fields) : undefined,
  }))
  let saves = 0
  await forEach(
    made.map((subject, place) => ({ subject, own: steps.filter(({ number }) => number % assistants === place) })),
    atOnce,
    async ({ subject, own }) => {
      for (const { number, field, save } of own) {
        if (save) {
          saves += 1
          for (const [met, value] of subject.open) subject.met.push({ field: met, value })
          subject.open.clear()
          await world.data('PUT', subject.path, { name: 'Saved', [save]: `Ours ${number}` })
        }
        await world.outside.assistants.update(subject.liveId, { [field]: `Theirs ${number}` })
        subject.open.set(field, `Theirs ${number}`)
      }
    },
  )
  await world.sweep()
  const drift = new Map((await all(world, '/drift?kind=assistant')).map((entry) => [entry.voice_id, entry]))
  const seen: Seen = { edits, saves, open: 0, found: 0, met: 0, kept: 0, lost: [] }
  await forEach(made, atOnce, async ({ path, liveId, open, met }) => {
    const leaves = [drift.get(liveId)?.leaves].flat() as { path: string; theirs: unknown }[]
    for (const [field, value] of open) {
      seen.open += 1
      if (leaves.some((leaf) => leaf?.path === field && leaf.theirs === value)) seen.found += 1
      else seen.lost.push(`${liveId} ${field} ${value}`)
    }
    if (met.length === 0) return
    const versions = (await all(world, `${path}/update-log`)).filter(({ source }) => source === 'platform')
    const changes = versions.flatMap(({ changes: made }) => (Array.isArray(made) ? made : []))
    for (const value of met) {
      seen.met += 1
      if (changes.some((change) => isChangeTo(change, value))) seen.kept += 1
      else seen.lost.push(`${liveId} ${value.field} ${value.value}`)
    }
  })
  return seen
}
