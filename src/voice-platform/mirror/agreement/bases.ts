import { randomUUID } from 'node:crypto'
import { and, arrayOverlaps, eq, notExists, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../../db/client.ts'
import { preparedSelect, preparedStatement } from '../../../db/prepared/statement.ts'
import type { Json } from '../../../json/object.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { liveWrites } from '../journal/table.ts'
import { type Base, isPlain } from './base.ts'
import type { Leaf } from './leaves.ts'
import { liveBases } from './table.ts'

/** What the bodies are sealed for; see `Vault.seal`. */
export const basesContext = 'live_bases.bodies'

/** As bodies are stored: what equals the one before is left out, `seen: null` says that nobody saw it. */
interface StoredBodies {
  composed: Json
  sent?: Json
  seen?: Json | null
  refused?: Pick<Leaf, 'path' | 'to'>[]
}

/** So many ids that a live object had before go on finding its record. */
const maxFormer = 10

/** A resource whose live object was made again, with the id that this has now. */
export type MadeAgain = Pick<typeof liveBases.$inferSelect, 'kind' | 'ref' | 'liveId'>

/** The resources whose live objects had these ids before the platform lost them, by those ids. */
export async function madeAgain(executor: Executor, ids: readonly string[]): Promise<Map<string, MadeAgain>> {
  if (ids.length === 0) return new Map()
  const { kind, ref, liveId, formerIds } = liveBases
  const found = await executor
    .select({ kind, ref, liveId, formerIds })
    .from(liveBases)
    .where(and(arrayOverlaps(formerIds, [...ids]), sql`${formerIds} <> '{}'`))
  return new Map(found.flatMap((one) => one.formerIds.map((id) => [id, one] as const)))
}

/** The resource whose live object had this id before the platform lost it, or undefined. */
export async function refOfFormer(executor: Executor, kind: string, liveId: string): Promise<string | undefined> {
  const found = (await madeAgain(executor, [liveId])).get(liveId)
  return found?.kind === kind ? found.ref : undefined
}

/** A base as it is stored, with the mark by which readers see whether it moved. */
export interface StoredBase<Body extends object = object> extends Base<Body> {
  revision: string
}

const saveBase = preparedStatement((executor) =>
  executor
    .insert(liveBases)
    .values({
      kind: sql.placeholder('kind'),
      ref: sql.placeholder('ref'),
      liveId: sql.placeholder('liveId'),
      revision: sql.placeholder('revision'),
      bodies: sql.placeholder('bodies'),
    })
    .onConflictDoUpdate({
      target: [liveBases.kind, liveBases.ref],
      set: {
        formerIds: sql`case when ${liveBases.liveId} = excluded.live_id then ${liveBases.formerIds}
          else (array_prepend(${liveBases.liveId}, ${liveBases.formerIds}))[1:${sql.raw(String(maxFormer))}] end`,
        liveId: sql`excluded.live_id`,
        revision: sql`excluded.revision`,
        bodies: sql`excluded.bodies`,
        agreedAt: sql`now()`,
      },
    })
    .returning({ id: liveBases.id }),
)

const storedColumns = { liveId: liveBases.liveId, revision: liveBases.revision, bodies: liveBases.bodies }

const findBase = preparedSelect<Pick<typeof liveBases.$inferSelect, keyof typeof storedColumns>>(
  storedColumns,
  (executor) =>
    executor
      .select(storedColumns)
      .from(liveBases)
      .where(and(eq(liveBases.kind, sql.placeholder('kind')), eq(liveBases.ref, sql.placeholder('ref')))),
)

/** The statements on bases. */
export function createBases(vault: Vault) {
  const open = ({
    liveId,
    revision,
    bodies,
  }: Pick<typeof liveBases.$inferSelect, 'liveId' | 'revision' | 'bodies'>) => {
    const stored: StoredBodies = JSON.parse(vault.open(bodies, basesContext))
    const { composed, sent = composed, seen = sent, refused } = stored
    return { liveId, revision, composed, sent, seen: seen ?? undefined, refused } satisfies StoredBase
  }

  return {
    open,

    /** What both sides of a resource agreed on, or undefined. */
    async read<Body extends object = Json>(
      executor: Executor,
      kind: string,
      ref: string,
    ): Promise<StoredBase<Body> | undefined> {
      const [row] = await findBase(executor, { kind, ref })
      // What is stored is what was saved under the same kind.
      return row && (open(row) as StoredBase as StoredBase<Body>)
    },

    /** Notes what both sides agree on from now on, in the transaction that records it. */
    async save(executor: Executor, kind: string, ref: string, base: Base): Promise<void> {
      const plain = isPlain(base)
      const bodies = {
        composed: base.composed,
        ...(!plain.sent && { sent: base.sent }),
        ...(!plain.seen && { seen: base.seen ?? null }),
        ...(base.refused && { refused: base.refused.map(({ path, to }) => ({ path, to })) }),
      }
      await saveBase(executor, {
        kind,
        ref,
        liveId: base.liveId,
        revision: randomUUID(),
        bodies: vault.seal(JSON.stringify(bodies), basesContext),
      })
    },

    /**
     * Notes what else a live object has, whose other fields are as both sides agreed; nothing where another agreement
     * stands by now, or a write is under way, which makes one.
     */
    async complete(executor: Executor, kind: string, ref: string, { revision, ...base }: StoredBase): Promise<void> {
      const { composed, sent, seen = null, refused } = base
      const bodies = { composed, sent, seen, refused }
      const write = executor
        .select({ id: liveWrites.id })
        .from(liveWrites)
        .where(and(eq(liveWrites.kind, kind), eq(liveWrites.ref, ref)))
      await executor
        .update(liveBases)
        .set({ bodies: vault.seal(JSON.stringify(bodies), basesContext) })
        .where(
          and(eq(liveBases.kind, kind), eq(liveBases.ref, ref), eq(liveBases.revision, revision), notExists(write)),
        )
    },

    /** Forgets a resource that is deleted. */
    async remove(tx: Transaction, kind: string, ref: string): Promise<void> {
      await tx.delete(liveBases).where(and(eq(liveBases.kind, kind), eq(liveBases.ref, ref)))
    },
  }
}

export type Bases = ReturnType<typeof createBases>
