import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { orGone } from '../../voice-platform/errors.ts'
import { isMarked, markedMetadata } from '../../voice-platform/external-ref.ts'
import type { LiveSquadBody } from '../../voice-platform/mapping/squad.ts'
import type { MappingOptions } from '../../voice-platform/mapping/translation.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import type { CallOptions } from '../../voice-platform/transport.ts'
import { detachTarget } from '../phone-numbers/routing/routing.ts'
import { rebindObject } from '../references/follow.ts'
import { squadAdopter } from './outside/adopt.ts'
import { squads } from './table.ts'

type Live = PlatformClient['squads']
type Body = Parameters<Live['create']>[0] & Parameters<Live['update']>[1]

/** Overrides are the platform's to judge, so that a body is typed as far as it is ours. */
const asSent = (body: LiveSquadBody) => body as unknown as Body

/**
 * Deletes a squad, in one transaction with taking it off its numbers, which changes them `at` that time. Returns those.
 */
export async function removeSquad(tx: Transaction, ref: string, at: Date): Promise<string[]> {
  const [row] = await tx.select({ id: squads.id }).from(squads).where(eq(squads.ref, ref)).for('update')
  if (!row) return []
  const numbers = await detachTarget(tx, { squadId: row.id }, at)
  await tx.delete(squads).where(eq(squads.id, row.id))
  return numbers
}

/** Gives a published squad another remote object: whatever names it follows. */
async function rebindSquad(tx: Transaction, ref: string, liveId: string): Promise<void> {
  const mine = eq(squads.ref, ref)
  const { externalSquadId, workspaceId } = squads
  const [known] = await tx.select({ from: externalSquadId, workspaceId }).from(squads).where(mine)
  if (!known) throw new Error('The squad of a new remote object is gone')
  const save = () => tx.update(squads).set({ externalSquadId: liveId }).where(mine)
  await rebindObject(tx, { ...known, to: liveId, save })
}

/** More members are not looked up. */
const maxLookedUp = 100

/**
 * A body without members that only the live squad has, whose assistants the platform lost: it takes no squad that names
 * one.
 */
async function withoutLost(
  assistants: PlatformClient['assistants'],
  sent: LiveSquadBody,
  composed: LiveSquadBody,
  call: CallOptions,
): Promise<LiveSquadBody> {
  const own = new Set(composed.members.map(({ assistantId }) => assistantId))
  const others = sent.members.flatMap(({ assistantId: id }) => (id && !own.has(id) ? [id] : []))
  const lookUp = async (id: string) => ((await orGone(assistants.get(id, call))) ? [] : [id])
  const lost = new Set((await Promise.all([...new Set(others)].slice(0, maxLookedUp).map(lookUp))).flat())
  return lost.size === 0 ? sent : { ...sent, members: sent.members.filter(({ assistantId: id }) => !lost.has(id)) }
}

interface RemoteOptions {
  platform: PlatformClient
  clock: Clock
  settings: MappingOptions
}

/** A published squad and its remote object. */
export function squadRemote({ platform, clock, settings }: RemoteOptions): RemoteKind<LiveSquadBody> {
  const { squads: live, assistants } = platform
  return {
    kind: 'squad',
    agreement: {
      defaults: {},
      always: ['members'],
      sendable: (sent, composed, call) => withoutLost(assistants, sent, composed, call),
    },
    live: {
      create: (body, options) => live.create(asSent(body), options),
      update: (id, body, options) => live.update(id, asSent(body), options),
      get: live.get,
      delete: live.delete,
      pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
      find: live.listByExternalRef,
      mark: {
        put(body, creation) {
          const { membersOverrides } = body
          const metadata = markedMetadata(membersOverrides.metadata, creation)
          return { ...body, membersOverrides: { ...membersOverrides, metadata } }
        },
        isOn: isMarked,
      },
    },
    local: {
      asSent: true,
      async read(db, ref) {
        const [row] = await db
          .select({ liveId: squads.externalSquadId, body: squads.live })
          .from(squads)
          .where(and(eq(squads.ref, ref), eq(squads.status, 'published')))
        return row?.body ? { liveId: row.liveId, body: row.body } : undefined
      },
      async recorded(db, which) {
        const published = and(eq(squads.status, 'published'), isNotNull(squads.live))
        const select = db
          .select({ ref: squads.ref, liveId: squads.externalSquadId, name: squads.name, body: squads.live })
          .from(squads)
        const rows =
          'liveIds' in which
            ? await select.where(and(published, inArray(squads.externalSquadId, [...which.liveIds])))
            : await select
                .where(and(published, which.after === '' ? undefined : gt(squads.ref, which.after)))
                .orderBy(asc(squads.ref))
                .limit(which.limit)
        return rows.map(({ body, ...row }) => ({ ...row, body: body ?? {} }))
      },
      async remove(tx, ref) {
        await removeSquad(tx, ref, clock.now())
      },
      adopt: squadAdopter({ clock, settings }),
      rebind: rebindSquad,
    },
  }
}
