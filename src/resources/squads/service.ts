import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { authorise } from '../../api/auth/gate.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { Transaction } from '../../db/client.ts'
import { violationOf } from '../../db/violations.ts'
import { type LiveSquadBody, toPlatformSquad } from '../../voice-platform/mapping/squad.ts'
import type { NamedPlace } from '../../voice-platform/mirror/agreement/named.ts'
import { referencesIn } from '../../voice-platform/references/find.ts'
import { detachStrangers } from '../phone-numbers/routing/routing.ts'
import { lockReferences } from '../references/lock.ts'
import { refuseNamed, refuseNamedMove } from '../references/moving.ts'
import { refuseParts } from '../references/parts.ts'
import { resolveReferences } from '../references/resolve.ts'
import { callerAsOwner, namedOwner, type Owner, ownedBy } from '../users/owner.ts'
import { composed, overridesOf, refuseHeavy, resolveMembers, toLiveMember } from './composition.ts'
import { findSquad, requireSquad, type SquadRow, squadRecord } from './find.ts'
import { lockNamed, squadRemoval, squadWrite } from './live-write.ts'
import { noteMembers } from './members.ts'
import { type AdoptedSquad, adoptSquad } from './outside/adopt.ts'
import { refuseBeyondBounds } from './override-bounds.ts'
import { removeSquad, squadRemote } from './remote.ts'
import type { PublishInput, SquadBody } from './schema.ts'
import { newDraftId } from './slug.ts'
import { squads } from './table.ts'

const everywhere = { kind: 'all', id: 0 } as const

/** The fields that a body sets: what was not sent stays, null clears. */
function sentFields(body: Omit<SquadBody, 'members'>, stored?: SquadRow) {
  const { membersOverrides, variableValues, metadata } = body
  return {
    name: body.name,
    membersOverrides: membersOverrides === undefined ? (stored?.membersOverrides ?? null) : membersOverrides,
    variableValues: variableValues === undefined ? (stored?.variableValues ?? null) : variableValues,
    metadata: metadata === undefined ? (stored?.metadata ?? null) : metadata,
  }
}

/**
 * Every body of a squad names its members; those of other accounts that were put beside them stay (contract: drift 12).
 */
export const membersPlace: NamedPlace = { path: ['members'], beside: true }

/** Members and the targets of their handoffs have errors of their own, which say what a squad may be made of. */
const composition = /^members\.\d+\.(assistantId|assistantDestinations\.\d+\.assistantId)$/

const namedBy = (body: Pick<SquadBody, 'members' | 'membersOverrides'>) => referencesIn(overridesOf(body))

/** A body whose overrides name what the workspace has. Throws 422 on the path of anything else. */
const resolveOverrides = <Body extends Pick<SquadBody, 'members' | 'membersOverrides'>>(
  ctx: AccountContext,
  workspaceId: number,
  body: Body,
): Promise<Body> => resolveReferences(ctx, workspaceId, body, ({ path }) => !composition.test(path))

/**
 * Makes a draft, which the platform does not know of yet (contract: squads 10).
 * Throws 403 for viewers, 422 on `user_id` for a user that does not exist.
 */
export async function draftSquad(ctx: AccountContext, input: SquadBody) {
  const owner = (await namedOwner(ctx, input.user_id)) ?? callerAsOwner(ctx)
  authorise(ctx)
  const ref = ctx.idempotencyId ?? crypto.randomUUID()
  if (!ctx.idempotencyId || !(await findSquad(ctx, ctx.scope, { ref }))) {
    refuseParts(overridesOf(input))
    refuseBeyondBounds(input)
    const body = await resolveOverrides(ctx, owner.workspaceId, input)
    const members = await resolveMembers(ctx.db, owner.workspaceId, body.members)
    const at = ctx.clock.now()
    const making = ctx.db.transaction(async (tx) => {
      const [made] = await tx
        .insert(squads)
        .values({
          ref,
          externalSquadId: newDraftId(input.name),
          status: 'draft',
          ...sentFields(body),
          members: members.map(({ member }) => member),
          userId: owner.userId,
          createdBy: ctx.account.userId,
          resellerId: owner.resellerId,
          workspaceId: owner.workspaceId,
          createdAt: at,
          updatedAt: at,
        })
        .returning({ id: squads.id, workspaceId: squads.workspaceId })
      if (made) await noteMembers(tx, made, members)
      await lockReferences(tx, owner.workspaceId, namedBy(body), {})
    })
    await making.catch(async (error) => {
      // Another server may have taken the request over, and have made it meanwhile.
      const isMade = violationOf(error)?.kind === 'unique' && (await findSquad(ctx, ctx.scope, { ref }))
      if (!isMade) throw error
    })
  }
  const row = await findSquad(ctx, everywhere, { ref })
  if (!row) throw new ApiError('squad_not_found')
  return squadRecord(ctx, row)
}

/**
 * What publishing makes of a squad: the columns, the live body and how both are saved. `adopted` is what it takes on of
 * outside changes. Throws 422 for its composition, 409 where something of the workspace that it leaves names it.
 */
async function publication(
  ctx: AccountContext,
  stored: SquadRow,
  input: SquadBody,
  owner: Owner | undefined,
  adopted?: AdoptedSquad,
) {
  const row = { ...stored, ...adopted?.columns }
  const { workspaceId } = owner ?? row
  const isMoved = workspaceId !== row.workspaceId
  const moving = { kind: 'squad', key: row.id, liveId: row.externalSquadId } as const
  if (isMoved) await refuseNamed(ctx.db, row.workspaceId, moving)
  refuseParts(overridesOf(input))
  refuseBeyondBounds(input, row)
  const sent = { ...sentFields(input, row), members: input.members }
  const { members: chosen, ...fields } = await resolveOverrides(ctx, workspaceId, sent)
  const resolved = await resolveMembers(ctx.db, workspaceId, chosen)
  const members = composed(resolved).map(toLiveMember)
  refuseHeavy(members, fields.membersOverrides)
  const live = toPlatformSquad({ ...fields, externalRef: row.ref, members }, ctx.settings)
  /** Returns the numbers that it leaves behind in another workspace. */
  const save = async (tx: Transaction, externalSquadId: string, sent: LiveSquadBody = live) => {
    const at = ctx.clock.now()
    await lockNamed(tx, stored)
    const [saved] = await tx
      .update(squads)
      .set({
        ...fields,
        ...ownedBy(owner),
        externalSquadId,
        status: 'published',
        members: resolved.map(({ member }) => member),
        live: sent,
        updatedAt: at,
      })
      .where(and(eq(squads.id, row.id), eq(squads.externalSquadId, row.externalSquadId)))
      .returning({ id: squads.id, workspaceId: squads.workspaceId })
    if (!saved) throw new ApiError('squad_not_found')
    const actor = { id: ctx.account.userId, name: ctx.account.name }
    const numbers = isMoved ? await detachStrangers(tx, { squadId: row.id }, workspaceId, { actor, at }) : []
    await noteMembers(tx, saved, resolved)
    if (isMoved) await refuseNamedMove(tx, row.workspaceId, workspaceId, moving)
    const named = namedBy({ ...fields, members: chosen })
    await lockReferences(tx, workspaceId, named, isMoved ? {} : overridesOf(stored))
    return numbers
  }
  return { live, save }
}

/** Compares a draft, which has no journal row, while its row is locked. Throws 412. */
async function matchLocked(ctx: AccountContext, { id, externalSquadId }: SquadRow, tx: Transaction): Promise<void> {
  if (!ctx.match) return
  await tx.select({ id: squads.id }).from(squads).where(eq(squads.id, id)).for('update')
  await requireMatch(ctx, { id: externalSquadId }, tx)
}

/**
 * Publishes a squad, live platform first: a draft as a new live squad, a published one in place (contract: squads 5).
 * Numbers of a workspace that it leaves lead to it no more (contract: squads 17).
 * Throws 404, 403 for viewers, 422 for an invalid composition, 409 when something that it would leave behind names it,
 * 502 when the live write fails.
 */
export async function publishSquad(ctx: AccountContext, input: z.output<typeof PublishInput>) {
  const found = await requireSquad(ctx, input)
  const { ref } = found
  const owner = await namedOwner(ctx, input.user_id, found)
  const remote = squadRemote(ctx)
  if (found.status === 'draft') {
    await requireMatch(ctx, input)
    const { live, save } = await publication(ctx, found, input, owner)
    const create = ctx.mirror.create(remote, ref, {
      body: live,
      async save(tx, created) {
        await matchLocked(ctx, found, tx)
        await save(tx, created.id)
      },
    })
    await squadWrite('squad_publish_failed', create)
  } else {
    const update = ctx.mirror.update(remote, ref, {
      async load() {
        const row = await requireSquad(ctx, { ref })
        await requireMatch(ctx, input)
        return row
      },
      adopt: (row, outside) => adoptSquad(ctx, row, outside),
      async compose(row, seen) {
        const { live, save } = await publication(ctx, row, input, owner, seen?.adopted)
        return { liveId: row.externalSquadId, body: live, named: [membersPlace], save }
      },
      save: (tx, { liveId, save }, sent) => save(tx, liveId, sent),
    })
    await ctx.phoneNumbers.syncAll(await squadWrite('squad_publish_failed', update))
  }
  const row = await findSquad(ctx, everywhere, { ref })
  if (!row) throw new ApiError('squad_not_found')
  return squadRecord(ctx, row)
}

/**
 * Deletes a squad, from the live platform first when it is published; numbers that led to it lead nowhere then.
 * Throws 404, 403 for viewers, 502 when the live delete fails.
 */
export async function deleteSquad(ctx: AccountContext, input: { id: string }) {
  const found = await requireSquad(ctx, input)
  const { ref, status } = found
  const save = (tx: Transaction) => removeSquad(tx, ref, ctx.clock.now())
  /** Undefined when it was published meanwhile: then it has a remote object. */
  const removeDraft = async (tx: Transaction) => {
    const [now] = await tx.select({ status: squads.status }).from(squads).where(eq(squads.id, found.id)).for('update')
    if (!now) throw new ApiError('squad_not_found')
    if (now.status === 'published') return undefined
    await matchLocked(ctx, found, tx)
    return save(tx)
  }
  const check = async () => {
    // Another delete may have come before.
    await requireSquad(ctx, { ref })
    await requireMatch(ctx, input)
  }
  const removeLive = () => squadRemoval(ctx.mirror.remove(squadRemote(ctx), ref, { check, save }))
  const removed = status === 'draft' ? await ctx.db.transaction(removeDraft) : undefined
  const numbers = removed ?? (await removeLive())
  await ctx.phoneNumbers.syncAll(numbers)
}
