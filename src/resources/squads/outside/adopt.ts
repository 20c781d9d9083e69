import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Executor, Transaction } from '../../../db/client.ts'
import { isObject, type Json } from '../../../json/object.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { sentEngines, toPlatformSquad } from '../../../voice-platform/mapping/squad.ts'
import type { MappingOptions } from '../../../voice-platform/mapping/translation.ts'
import { createAdoption } from '../../../voice-platform/mirror/agreement/adoption.ts'
import { isNothing, leavesBetween, valueAt } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { Adopt, Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { referencesIn } from '../../../voice-platform/references/find.ts'
import { lockMovable } from '../../references/moving.ts'
import { ownOutside } from '../../references/own.ts'
import { nameOf, overridesOf, type ResolvedMember, resolveMembers, toLiveMember } from '../composition.ts'
import { noteMembers } from '../members.ts'
import { StoredMember } from '../schema.ts'
import { squads } from '../table.ts'
import { type Closeness, changedOverrides, changedShared } from './overrides.ts'

type Row = Pick<
  typeof squads.$inferSelect,
  'ref' | 'name' | 'members' | 'membersOverrides' | 'variableValues' | 'workspaceId' | 'live'
>

/** What a record is composed with. */
interface Adopting {
  db: Executor
  settings: MappingOptions
}

/** The columns of a squad that the platform knows. */
export type SquadColumns = Pick<Row, 'name' | 'members' | 'membersOverrides' | 'variableValues'>

/** A squad with what was changed outside. */
export interface AdoptedSquad {
  columns: SquadColumns
  members: ResolvedMember[]
  /** What the record then composes by itself. */
  composed: object
}

interface State extends SquadColumns {
  resolved: ResolvedMember[]
}

const Members = z.array(StoredMember)

const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The destinations of a live member, with what is kept of each here alone. */
function destinationsOf(live: unknown, stored: StoredMember | undefined) {
  return objectsIn(live).map(({ type, ...destination }) => {
    const known = stored?.assistantDestinations?.find((one) => one.assistantName === destination.assistantName)
    const { assistantId, ...kept } = known ?? { type }
    return { ...(kept.type != null && { type: kept.type }), ...(assistantId && { assistantId }), ...destination }
  }) as StoredMember['assistantDestinations']
}

/** The overrides that a live member was sent; with an assistant that is several members, those at its place. */
function overridesSent(sent: Row['live'], liveId: string, index: number) {
  const isIt = (member: { assistantId: string } | undefined) => member?.assistantId === liveId
  const at = sent?.members[index]
  return (isIt(at) ? at : sent?.members.find(isIt))?.assistantOverrides
}

/** The members of a live squad as they are kept; by their live ids, which are turned into public ones afterwards. */
function membersOf(live: unknown, stored: readonly ResolvedMember[], sent: Row['live'], by: Closeness): StoredMember[] {
  return objectsIn(live).map(({ assistantId, assistantOverrides: overrides, assistantDestinations }, index) => {
    const id = String(assistantId)
    const isIt = (one: ResolvedMember | undefined) => one?.assistant?.voiceAssistantId === id
    const known = (isIt(stored[index]) ? stored[index] : stored.find(isIt))?.member
    const assistantOverrides = changedOverrides(
      overrides,
      known?.assistantOverrides,
      overridesSent(sent, id, index),
      by,
    )
    return {
      ...(known?.position !== undefined && { position: known.position }),
      assistantId: id,
      ...(assistantOverrides !== undefined && { assistantOverrides }),
      ...(!isNothing(assistantDestinations) && {
        assistantDestinations: destinationsOf(assistantDestinations, known),
      }),
    }
  })
}

/** Members of whom each that would hand over to nobody in the squad's record hands over as it is stored. */
function withOwnTargets(members: readonly ResolvedMember[], stored: readonly ResolvedMember[]): ResolvedMember[] {
  const names = new Set(members.map(nameOf))
  return members.map((one) => {
    const { assistantDestinations: _theirs, ...member } = one.member
    if (one.member.assistantDestinations?.every(({ assistantName }) => names.has(assistantName)) ?? true) return one
    const known = stored.find(({ assistant }) => assistant?.id === one.assistant?.id)?.member
    const kept = known?.assistantDestinations
    return { ...one, member: { ...member, ...(kept && { assistantDestinations: kept }) } }
  })
}

const namesOf = (body: object | undefined) =>
  objectsIn(valueAt(body, ['members'])).map(({ assistantId }) => assistantId)

/** A body without some members. */
const withoutMembers = <Body extends object>(body: Body, isLeft: (member: unknown) => boolean): Body => {
  const members = valueAt(body, ['members'])
  return Array.isArray(members) ? { ...body, members: members.filter((member) => !isLeft(member)) } : body
}

/** What was changed outside, and what was sent, without the members that are kept on the live object alone. */
function withoutKept(outside: Outside, sent: Row['live']): { outside: Outside; sent: Row['live'] } {
  const { base, live, changes } = outside
  const own = new Set(namesOf(base.composed))
  const kept = new Set(namesOf(base.sent).filter((name) => !own.has(name)))
  if (kept.size === 0) return { outside, sent }
  const isKept = (member: unknown) => kept.has(valueAt(member, ['assistantId']))
  const [before, now] = [withoutMembers(base.seen ?? base.sent, isKept), withoutMembers(live, isKept)]
  const between = leavesBetween({ members: valueAt(before, ['members']) }, { members: now.members })
  return {
    outside: { ...outside, live: now, changes: [...changes.filter(({ path }) => path[0] !== 'members'), ...between] },
    sent: sent && withoutMembers(sent, isKept),
  }
}

/**
 * Puts what was changed outside into a squad; members that are no assistants of its account stay in the live body
 * alone.
 */
export async function adoptSquad({ db, settings }: Adopting, row: Row, outside: Outside): Promise<AdoptedSquad> {
  const { ref, name, members, membersOverrides, variableValues, workspaceId } = row
  const resolved = await resolveMembers(db, workspaceId, members)
  // With the engines of the time when it was sent: an assistant may have another one by now.
  const compose = (state: State) => {
    const live = state.resolved.flatMap(({ member, assistant }, index) => {
      if (!assistant) return []
      const engines = sentEngines(overridesSent(row.live, assistant.voiceAssistantId, index), assistant.engines)
      return [{ ...toLiveMember({ member, assistant }), engines }]
    })
    const engines = sentEngines(row.live?.membersOverrides, {})
    return live.length === state.resolved.length && Members.safeParse(state.members).success
      ? toPlatformSquad({ ...state, externalRef: ref, members: live, engines }, settings)
      : undefined
  }
  const others = withoutKept(outside, row.live)
  const own = await ownOutside(db, workspaceId, others.outside)
  const adoption = createAdoption<State>(own, { name, members, membersOverrides, variableValues, resolved }, compose)
  const { live, changes } = own
  const isChanged = (field: string) => changes.some(({ path }) => path[0] === field)
  if (isChanged('name') && typeof live.name === 'string') adoption.accept({ ...adoption.state, name: live.name })
  const closeness: readonly Closeness[] = ['leaves', 'fields']
  if (isChanged('membersOverrides')) {
    closeness.some((by) =>
      adoption.accept({ ...adoption.state, ...changedShared(live.membersOverrides, row, row.live, by) }),
    )
  }
  for (const by of isChanged('members') ? closeness : []) {
    const found = await resolveMembers(db, workspaceId, membersOf(live.members, resolved, others.sent, by))
    const next = withOwnTargets(found, resolved)
    if (adoption.accept({ ...adoption.state, members: next.map(({ member }) => member), resolved: next })) break
  }
  const { resolved: taken, ...columns } = adoption.state
  return { columns, members: taken, composed: adoption.composed() }
}

/** Saves what was changed outside of a squad, in the transaction that records it; `sent` is its whole live body. */
export async function saveAdopted(
  tx: Transaction,
  row: Pick<typeof squads.$inferSelect, 'id' | 'workspaceId' | 'live'>,
  { columns, members }: AdoptedSquad,
  { sent, at }: { sent: object; at: Date },
): Promise<void> {
  if (!row.live) throw new Error('The squad that was changed outside has no live object')
  const live = { ...row.live, ...sent }
  await tx
    .update(squads)
    .set({ ...columns, live, updatedAt: at })
    .where(eq(squads.id, row.id))
  await noteMembers(tx, row, members)
  await lockMovable(tx, row.workspaceId, referencesIn(overridesOf(columns)), row.live)
}

/** Saves what a squad's live object was sent, of which the record takes on nothing. */
export async function saveSent(tx: Transaction, row: Pick<typeof squads.$inferSelect, 'id' | 'live'>, sent: object) {
  if (!row.live) throw new Error('The squad that was sent has no live object')
  const live = { ...row.live, ...sent }
  if (!Bun.deepEquals(live, row.live)) await tx.update(squads).set({ live }).where(eq(squads.id, row.id))
}

/** Takes what was changed outside into a squad, when recovery meets it. */
export const squadAdopter =
  ({ clock, settings }: Pick<Adopting, 'settings'> & { clock: Clock }): Adopt =>
  async (tx, ref, outside, { sent, recorded }) => {
    const [row] = await tx.select().from(squads).where(eq(squads.ref, ref)).for('update')
    if (!row) throw new Error('The squad that was changed outside is gone')
    if (!Bun.deepEquals(row.live, recorded)) throw new Error('What the squad names was changed meanwhile')
    const adopted = await adoptSquad({ db: tx, settings }, row, outside)
    await saveAdopted(tx, row, adopted, { sent, at: clock.now() })
    return adopted.composed
  }
