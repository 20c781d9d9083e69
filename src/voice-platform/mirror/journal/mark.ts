import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Executor } from '../../../db/client.ts'
import { dueNow, inMs } from '../../../db/schedule.ts'
import type { Row } from './entry.ts'
import { liveWrites, nobody } from './table.ts'

/** How long a resource is looked at that was marked while another writer was at work on it. */
const markedMs = 10_000

/** Until when a write may still arrive that is waited for another `ms`. */
export const laterOf = (ms: number) => sql`greatest(${liveWrites.lateUntil}, ${inMs(ms)})`

type Marked = Pick<Row, 'kind' | 'ref'> & Partial<Row>

async function mark(executor: Executor, resources: readonly Marked[], ms: number): Promise<void> {
  await executor
    .insert(liveWrites)
    .values(
      resources.map(({ kind, ref, createSent = false, createsMarked = false, createdAt, intents = [] }) => ({
        id: randomUUID(),
        kind,
        ref,
        action: 'update' as const,
        owner: nobody,
        createSent,
        createsMarked,
        createdAt,
        intents,
        lateUntil: inMs(ms),
        dueAt: dueNow,
      })),
    )
    .onConflictDoUpdate({
      target: [liveWrites.kind, liveWrites.ref],
      set: {
        lateUntil: laterOf(ms),
        createSent: sql`${liveWrites.createSent} or excluded.create_sent`,
        createsMarked: sql`(${liveWrites.createsMarked} or not ${liveWrites.createSent})
          and (excluded.creates_marked or not excluded.create_sent)`,
        intents: sql`${liveWrites.intents} || excluded.intents`,
        createdAt: sql`least(${liveWrites.createdAt}, excluded.created_at)`,
        dueAt: sql`case when ${liveWrites.owner} = ${nobody} then ${dueNow} else ${liveWrites.dueAt} end`,
      },
    })
}

/**
 * Says that the remote object of a resource may differ from its record, whoever is at work on it: it is looked at as
 * soon as it is free. In the transaction that changes the record when `executor` is one.
 */
export const markUnfinished = (executor: Executor, { ms = markedMs, ...of }: Marked & { ms?: number }): Promise<void> =>
  mark(executor, [of], ms)

/** So many resources are marked by one statement. */
const markedAtOnce = 500

/** Marks many resources of one kind as unfinished, each named once. */
export async function markAllUnfinished(executor: Executor, kind: string, refs: readonly string[]): Promise<void> {
  for (let from = 0; from < refs.length; from += markedAtOnce) {
    const some = refs.slice(from, from + markedAtOnce)
    await mark(
      executor,
      some.map((ref) => ({ kind, ref })),
      markedMs,
    )
  }
}
