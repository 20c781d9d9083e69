import { and, eq } from 'drizzle-orm'
import type { Executor, Transaction } from '../../../db/client.ts'
import { isObject, type Json } from '../../../json/object.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { uuidsIn } from '../../../runtime/uuid.ts'
import { type LiveNumberBody, targetFields } from '../../../voice-platform/mapping/number.ts'
import { secretHeader } from '../../../voice-platform/mapping/server.ts'
import { createAdoption } from '../../../voice-platform/mirror/agreement/adoption.ts'
import {
  isNothing,
  type Leaf,
  leavesBetween,
  valueAt,
  withLeaves,
} from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { Adopt, Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { type Reference, referencesIn } from '../../../voice-platform/references/find.ts'
import { assistants } from '../../assistants/table.ts'
import { lockMovable } from '../../references/moving.ts'
import { ownOutside } from '../../references/own.ts'
import { squads } from '../../squads/table.ts'
import { liveNumberBody, type NumberRow } from '../read/record.ts'
import { noTarget, resyncTargets, type Targets } from '../routing/routing.ts'
import { StoredFallback, StoredServer } from '../schema.ts'
import { phoneNumbers } from '../table.ts'

/** The columns of a number that the platform knows. */
export type NumberColumns = Targets &
  Pick<NumberRow, 'name' | 'fallbackDestination' | 'server' | 'hooks' | 'smsEnabled' | 'staticIpEnabled'>

/** A number with what was changed outside. */
export interface AdoptedNumber {
  columns: NumberColumns
  /** What the record then composes by itself. */
  composed: object
}

const columnsOf = (row: NumberRow): NumberColumns => ({
  assistantId: row.assistantId,
  squadId: row.squadId,
  voiceAssistantId: row.voiceAssistantId,
  voiceSquadId: row.voiceSquadId,
  voiceWorkflowId: row.voiceWorkflowId,
  name: row.name,
  fallbackDestination: row.fallbackDestination,
  server: row.server,
  hooks: row.hooks,
  smsEnabled: row.smsEnabled,
  staticIpEnabled: row.staticIpEnabled,
})

const textAt = (live: Json, field: string) => {
  const value = live[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Where a live number leads to, if that is something of its account. */
async function targetsOf(db: Executor, { workspaceId }: NumberRow, live: Json): Promise<Targets | undefined> {
  const assistant = textAt(live, 'assistantId')
  if (assistant) {
    const [id] = uuidsIn([assistant])
    if (!id) return undefined
    const [found] = await db
      .select({ assistantId: assistants.id, voiceAssistantId: assistants.voiceAssistantId })
      .from(assistants)
      .where(and(eq(assistants.workspaceId, workspaceId), eq(assistants.voiceAssistantId, id)))
    return found && { ...noTarget, ...found }
  }
  const squad = textAt(live, 'squadId')
  if (squad) {
    const [found] = await db
      .select({ squadId: squads.id, voiceSquadId: squads.externalSquadId })
      .from(squads)
      .where(and(eq(squads.workspaceId, workspaceId), eq(squads.externalSquadId, squad)))
    return found && { ...noTarget, ...found }
  }
  return { ...noTarget, voiceWorkflowId: textAt(live, 'workflowId') ?? null }
}

/** The id of a workflow is taken as it is, as long as a request could say it (contract: numbers 6, numbers 16). */
const isWorkflow = ({ path, id }: Reference) => path === 'workflowId' && id.length <= 255

const Fallback = StoredFallback.nullable()
const Server = StoredServer.nullable()

const mirrorPath = ['server', 'staticIpAddressesEnabled']

/** The webhook block after its leaves changed outside. */
function serverAfter(stored: StoredServer | null, leaves: readonly Leaf[], live: unknown): StoredServer | null {
  if (isNothing(live)) return null
  const changed = leaves.flatMap(({ path, to }) =>
    path.length > 1 || !isObject(to)
      ? [{ path, to }]
      : Object.entries(to).map(([key, item]) => ({ path: ['server', key], to: item })),
  )
  const next: Json = { ...stored }
  const headers: Json = { ...stored?.headers }
  for (const { path, to } of changed) {
    const [, field = '', header] = path
    if (field === 'backoffPlan') continue
    if (field !== 'headers') {
      next[field] = isNothing(to) ? undefined : to
      continue
    }
    if (header === undefined) {
      next.secret = undefined
      for (const name of Object.keys(headers)) headers[name] = undefined
    }
    const entries = header === undefined ? Object.entries(isObject(to) ? to : {}) : [[header, to] as const]
    for (const [name, value] of entries) {
      if (name === secretHeader) next.secret = isNothing(value) ? undefined : value
      else headers[name] = isNothing(value) ? undefined : value
    }
  }
  const present = (fields: Json) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const { headers: _old, staticIpAddressesEnabled, ...fields } = present(next)
  const kept = present(headers)
  return {
    ...fields,
    ...(Object.keys(kept).length > 0 && { headers: kept }),
    staticIpAddressesEnabled: staticIpAddressesEnabled === true,
  } as StoredServer
}

/**
 * The targets of a number that leads nowhere since what it led to was deleted, where the live one had been led
 * elsewhere before.
 */
function isLedElsewhere({ base, live }: Outside, recorded: LiveNumberBody): boolean {
  const had = targetFields.filter((field) => textAt({ ...base.composed }, field) !== undefined)
  const isDetached = targetFields.every((field) => recorded[field] === null)
  return isDetached && had.every((field) => live[field] !== valueAt(base.composed, [field]))
}

/**
 * Puts what was changed outside into a number. A target that is not of its account stays in the live body alone; what
 * our own record changed and has not sent yet is ours, but for a target that was deleted and that the live number no
 * longer led to.
 */
export async function adoptNumber(db: Executor, row: NumberRow, outside: Outside): Promise<AdoptedNumber> {
  const recorded = liveNumberBody(row)
  const unsent = leavesBetween(outside.base.composed, recorded)
  const isElsewhere = isLedElsewhere(outside, recorded)
  const pending = new Set(unsent.map(({ path }) => path[0]))
  if (isElsewhere) for (const field of targetFields) pending.delete(field)
  const own = await ownOutside(db, row.workspaceId, outside, isWorkflow)
  const { live } = own
  const mirror = valueAt(live, mirrorPath)
  /** A switch that is off may be left out of the live object. */
  const off = mirror === true ? false : mirror
  const compose = (columns: NumberColumns) => {
    const isShown = Fallback.safeParse(columns.fallbackDestination).success && Server.safeParse(columns.server).success
    if (!isShown) return undefined
    const body = liveNumberBody({ ...row, ...columns })
    const isOff = body.server !== null && valueAt(body, mirrorPath) !== true
    return isOff ? withLeaves(body, [{ path: mirrorPath, to: off }]) : body
  }
  const changes = own.changes.filter(({ path }) => !pending.has(path[0]))
  const adoption = createAdoption({ ...own, changes }, columnsOf(row), compose)
  const isChanged = (...fields: string[]) => changes.some(({ path }) => fields.includes(path[0] ?? ''))
  const set = (columns: Partial<NumberColumns>) => adoption.accept({ ...adoption.state, ...columns })
  if (isChanged('name')) set({ name: textAt(live, 'name') ?? null })
  if (isChanged('assistantId', 'squadId', 'workflowId')) {
    const targets = await targetsOf(db, row, live)
    if (targets) set(targets)
  }
  if (isChanged('fallbackDestination')) {
    const destination = live.fallbackDestination
    set({ fallbackDestination: isObject(destination) ? (destination as unknown as StoredFallback) : null })
  }
  let isMirrored = false
  if (isChanged('server')) {
    const leaves = changes.filter(({ path }) => path[0] === 'server')
    const server = serverAfter(row.server, leaves, live.server)
    isMirrored = set({ server, staticIpEnabled: server?.staticIpAddressesEnabled === true }) && server !== null
  }
  if (isChanged('hooks')) set({ hooks: Array.isArray(live.hooks) ? live.hooks : [] })
  if (isChanged('smsEnabled')) set({ smsEnabled: live.smsEnabled === true })
  const columns = adoption.state
  const body = liveNumberBody({ ...row, ...columns })
  const composed = withLeaves(adoption.composed(), [
    ...(isMirrored ? [{ path: mirrorPath, to: columns.staticIpEnabled }] : []),
    ...(isElsewhere ? targetFields.map((field) => ({ path: [field], to: body[field] })) : []),
  ])
  return { columns, composed }
}

/** Saves what was changed outside of a number, in the transaction that records it; assistants that carry it follow. */
export async function saveAdopted(
  tx: Transaction,
  row: NumberRow,
  { columns }: AdoptedNumber,
  at: Date,
): Promise<void> {
  const actor = { id: 0, name: 'Voice platform' }
  await resyncTargets(tx, { number: row, from: row, to: columns, actor, at })
  await tx
    .update(phoneNumbers)
    .set({ ...columns, updatedAt: at })
    .where(eq(phoneNumbers.id, row.id))
  const { hooks, server } = columns
  await lockMovable(tx, row.workspaceId, referencesIn({ hooks, server }), { hooks: row.hooks, server: row.server })
}

/** Takes what was changed outside into a number, when recovery meets it. */
export const numberAdopter =
  ({ clock }: { clock: Clock }): Adopt =>
  async (tx, ref, outside) => {
    const mine = and(eq(phoneNumbers.phoneNumber, ref), eq(phoneNumbers.status, 'owned'))
    const [row] = await tx.select().from(phoneNumbers).where(mine).for('update')
    if (!row) throw new Error('The number that was changed outside is gone')
    const adopted = await adoptNumber(tx, row, outside)
    await saveAdopted(tx, row, adopted, clock.now())
    return adopted.composed
  }
