import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { requireMatch } from '../../../api/preconditions/match.ts'
import type { Transaction } from '../../../db/client.ts'
import { targetFields } from '../../../voice-platform/mapping/number.ts'
import type { Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { type Reference, referencesIn } from '../../../voice-platform/references/find.ts'
import { lockReferences } from '../../references/lock.ts'
import { refuseParts } from '../../references/parts.ts'
import { resolveReferences } from '../../references/resolve.ts'
import { type AdoptedNumber, adoptNumber } from '../outside/adopt.ts'
import { requireNumber } from '../read/find.ts'
import { liveNumberBody, type NumberRow, type NumberRowData, numberRecord } from '../read/record.ts'
import { phoneNumberRemote } from '../remote.ts'
import { resyncTargets, targetsOf } from '../routing/routing.ts'
import { refuseTwoTargets, targetsAfter } from '../routing/targets.ts'
import type { UpdateInput } from '../schema.ts'
import { phoneNumbers } from '../table.ts'
import { fallbackAfter, serverAfter } from './blocks.ts'
import { numberWrite } from './live-write.ts'
import { namedTargets } from './named-targets.ts'

type Input = z.output<typeof UpdateInput>

const sentOr = <T>(sent: T | null | undefined, stored: T, cleared: T): T =>
  sent === undefined ? stored : (sent ?? cleared)

/** The live id of a number. Throws 422 when it has none (contract: numbers 25). */
export function registeredId(row: NumberRow): string {
  if (row.voicePhoneNumberId === null) throw new ApiError('phone_number_not_registered')
  return row.voicePhoneNumberId
}

/** A UUID in any of the forms in which a server may read one. */
const uuidInAnyForm = /^(urn:uuid:)?\{?([0-9a-f]-?){32}\}?$/

/**
 * A personal credential of the caller (contract: webhooks 11). Objects of the platform have UUIDs, so another text
 * names none of them, and a webhook is sent with a credential that was granted or not at all.
 */
const isPersonal = ({ path, id }: Reference) => path === 'server.credentialId' && !uuidInAnyForm.test(id)

/** What of a number names other objects than its targets. */
const namingBlocks = ({ hooks, server }: Pick<NumberRow, 'hooks' | 'server'>) => ({ hooks, server })

/**
 * Locks a number as long as it leads where it did and names what it did: the platform was told so. Throws 409
 * otherwise.
 */
export async function lockTargets(tx: Transaction, row: NumberRow): Promise<void> {
  const [locked] = await tx.select().from(phoneNumbers).where(eq(phoneNumbers.id, row.id)).for('update')
  const named = (number: NumberRow) => ({ ...targetsOf(number), ...namingBlocks(number) })
  if (!locked || !Bun.deepEquals(named(locked), named(row))) throw new ApiError('phone_number_busy')
}

/** What a body makes of a number. Throws 422 for targets and other objects that are not the account's. */
async function configured(ctx: AccountContext, row: NumberRowData, input: Input) {
  const staticIpEnabled = sentOr(input.static_ip_enabled, row.staticIpEnabled, false)
  const switched = input.static_ip_enabled !== undefined
  const { hooks, server: block } = input
  refuseParts({ hooks })
  const sent = await resolveReferences(ctx, row.workspaceId, { hooks, server: block }, undefined, isPersonal)
  const server = serverAfter(row.server, sent.server, { enabled: staticIpEnabled, switched })
  return {
    ...(await targetsAfter(ctx, row, input)),
    name: sentOr(input.name, row.name, null),
    smsEnabled: sentOr(input.sms_enabled, row.smsEnabled, false),
    staticIpEnabled,
    fallbackDestination: fallbackAfter(row.fallbackDestination, input.fallback_destination),
    server,
    hooks: sentOr<unknown[]>(sent.hooks, row.hooks, []),
  }
}

const voiceTargetsOf = ({ voiceAssistantId, voiceSquadId, voiceWorkflowId }: NumberRow) => ({
  voice_assistant_id: voiceAssistantId,
  voice_squad_id: voiceSquadId,
  voice_workflow_id: voiceWorkflowId,
})

/** Whether a number was led outside to what its record cannot name. */
const leadsToStranger = (row: NumberRow, seen: { outside: Outside; adopted: AdoptedNumber } | undefined) =>
  seen?.outside.changes.some(({ path }) => targetFields.some((field) => field === path[0])) &&
  Bun.deepEquals(targetsOf(row), targetsOf(seen.adopted.columns))

/**
 * Configures a number, live platform first (contract: numbers 3).
 * Throws 404, 403 for viewers, 422 for more than one target, for one that is not the account's, for a number that is
 * not registered and for what the platform rejects, 409 when its target changes meanwhile, 502 when the live write
 * fails.
 */
export async function updateNumber(ctx: AccountContext, input: Input) {
  const found = await requireNumber(ctx, input.id)
  refuseTwoTargets(input)
  registeredId(found)
  const { phoneNumber } = found
  const write = ctx.mirror.update(phoneNumberRemote(ctx), phoneNumber, {
    async load() {
      const row = await requireNumber(ctx, phoneNumber)
      await requireMatch(ctx, input)
      return row
    },
    adopt: (row, outside) => adoptNumber(ctx.db, row, outside),
    async compose(row, seen) {
      const liveId = registeredId(row)
      const before = { ...row, ...seen?.adopted.columns }
      const columns = await configured(ctx, before, input)
      const ledTo = leadsToStranger(row, seen) ? null : voiceTargetsOf(before)
      const body = liveNumberBody({ ...row, ...columns })
      return { liveId, body, named: namedTargets(input), row, columns, ledTo }
    },
    async save(tx, { row, columns, ledTo }) {
      const at = ctx.clock.now()
      const actor = { id: ctx.account.userId, name: ctx.account.name }
      await lockTargets(tx, row)
      await resyncTargets(tx, { number: row, from: row, to: columns, actor, at })
      const named = referencesIn(namingBlocks(columns)).filter((one) => !isPersonal(one))
      await lockReferences(tx, row.workspaceId, named, namingBlocks(row))
      await tx
        .update(phoneNumbers)
        .set({ ...columns, lastSyncedAt: at, updatedAt: at, syncDueAt: null, syncAttempts: 0, syncError: null })
        .where(eq(phoneNumbers.id, row.id))
      ctx.outcome.ledTo = ledTo
    },
  })
  await numberWrite('phone_number_update_failed', write)
  const data = numberRecord(await requireNumber(ctx, phoneNumber))
  return data
}
