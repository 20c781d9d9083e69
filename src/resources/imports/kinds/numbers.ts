import { and, eq, inArray } from 'drizzle-orm'
import { isObject } from '../../../json/object.ts'
import { assistants } from '../../assistants/table.ts'
import { recordedServer } from '../../phone-numbers/outside/live-server.ts'
import { liveNumberBody } from '../../phone-numbers/read/record.ts'
import { phoneNumberRemote } from '../../phone-numbers/remote.ts'
import { noTarget, resyncTargets, type Targets } from '../../phone-numbers/routing/routing.ts'
import { fallbackFields, StoredFallback, StoredServer } from '../../phone-numbers/schema.ts'
import { importedCarrierId, phoneNumbers } from '../../phone-numbers/table.ts'
import { squads } from '../../squads/table.ts'
import {
  fieldsOf,
  heldOf,
  type ImportContext,
  type Importer,
  type ImportOwner,
  ImportRefusal,
  leaveStrangers,
} from '../importer.ts'

const e164 = /^\+[1-9]\d{1,14}$/
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

/** The fields of a block that the record has; undefined for one in a form that no record has. */
function blockOf(value: unknown, fields: readonly string[]) {
  if (!isObject(value)) return null
  return Object.fromEntries(fields.flatMap((field) => (value[field] == null ? [] : [[field, value[field]]])))
}

/** Where its calls go. Throws ImportRefusal for a target that has no record in the workspace. */
async function targetsOf(
  ctx: ImportContext,
  live: ReturnType<typeof fieldsOf>,
  { workspaceId }: ImportOwner,
): Promise<Targets> {
  const [assistant, squad, workflow] = [text(live.assistantId), text(live.squadId), text(live.workflowId)]
  if (assistant) {
    const mine = and(eq(assistants.voiceAssistantId, assistant), eq(assistants.workspaceId, workspaceId))
    const [row] = await ctx.db.select({ id: assistants.assistantId, key: assistants.id }).from(assistants).where(mine)
    if (!row) throw new ImportRefusal(`It leads to the assistant ${assistant}, which has no record in the workspace.`)
    return { ...noTarget, assistantId: row.key, voiceAssistantId: assistant }
  }
  if (squad) {
    const mine = and(eq(squads.externalSquadId, squad), eq(squads.workspaceId, workspaceId))
    const [row] = await ctx.db.select({ id: squads.id }).from(squads).where(mine)
    if (!row) throw new ImportRefusal(`It leads to the squad ${squad}, which has no record in the workspace.`)
    return { ...noTarget, squadId: row.id, voiceSquadId: squad }
  }
  return { ...noTarget, voiceWorkflowId: workflow }
}

function numberOf(live: object): string {
  const number = text(fieldsOf(live).number)
  if (!number || !e164.test(number)) throw new ImportRefusal('It has no phone number of its own.')
  return number
}

/** Numbers with where they lead. Whoever sold them still has them: releasing one here gives nothing back. */
export const numberImporter: Importer = {
  kind: 'phone_number',
  remote: phoneNumberRemote,
  baseRef: numberOf,

  // A number that has a record under another object has one all the same.
  async recorded(db, objects) {
    const numbers = objects.map((live) => text(fieldsOf(live).number) ?? '')
    const rows = await db
      .select({ number: phoneNumbers.phoneNumber })
      .from(phoneNumbers)
      .where(inArray(phoneNumbers.phoneNumber, numbers))
    const known = new Set(rows.map(({ number }) => number))
    return new Set(objects.filter((live) => known.has(text(fieldsOf(live).number) ?? '')).map(({ id }) => id))
  },

  async prepare(ctx, live, ref, owner) {
    const fields = fieldsOf(live)
    const phoneNumber = numberOf(live)
    const targets = await targetsOf(ctx, fields, owner)
    const blocks = structuredClone({
      fallbackDestination: fields.fallbackDestination,
      server: fields.server,
      hooks: fields.hooks,
    })
    await leaveStrangers(ctx, owner, blocks)
    const fallback = StoredFallback.nullable().safeParse(blockOf(blocks.fallbackDestination, fallbackFields))
    const server = StoredServer.nullable().safeParse(isObject(blocks.server) ? recordedServer(blocks.server) : null)
    const now = ctx.clock.now()
    const row = {
      ...owner,
      ...targets,
      phoneNumber,
      purchaseRef: ref,
      carrierId: importedCarrierId,
      voicePhoneNumberId: live.id,
      status: 'owned',
      provider: text(fields.provider) ?? '',
      name: text(fields.name),
      fallbackDestination: fallback.success ? fallback.data : null,
      server: server.success ? server.data : null,
      hooks: Array.isArray(blocks.hooks) ? blocks.hooks : [],
      smsEnabled: fields.smsEnabled === true,
      smsCapable: fields.smsEnabled === true,
      staticIpEnabled: server.data?.staticIpAddressesEnabled === true,
      metadata: null,
      createdBy: ctx.account.userId,
      lastSyncedAt: now,
      createdAt: now,
      updatedAt: now,
    } as const
    const made = { ...row, id: 0, syncOwner: null, syncDueAt: null, syncAttempts: 0, syncError: null }
    const body = liveNumberBody(made)
    return {
      composed: body,
      sent: heldOf(body, live),
      async save(tx) {
        const [saved] = await tx.insert(phoneNumbers).values(row).returning({ id: phoneNumbers.id })
        if (!saved) throw new Error('The number was not saved')
        const number = { id: saved.id, phoneNumber, voicePhoneNumberId: live.id, workspaceId: owner.workspaceId }
        const actor = { id: ctx.account.userId, name: ctx.account.name }
        await resyncTargets(tx, { number, from: noTarget, to: targets, actor, at: now })
        return phoneNumber
      },
    }
  },
}
