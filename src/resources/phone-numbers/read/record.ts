import { hasScope } from '../../../accounts/token-scopes.ts'
import type { AccountContext } from '../../../api/context.ts'
import { type LiveNumberBody, smsProvider, toPlatformNumber } from '../../../voice-platform/mapping/number.ts'
import { maskedIn } from '../../history/mask.ts'
import type { PhoneNumberRecord } from '../schema.ts'
import type { phoneNumbers } from '../table.ts'

type Reader = Pick<AccountContext, 'account'>

export type NumberRow = typeof phoneNumbers.$inferSelect

/** What the platform is to know of a number. */
export const liveNumberBody = (row: NumberRow): LiveNumberBody => toPlatformNumber({ ...row, number: row.phoneNumber })

/** A stored number with what its record shows of other tables. */
export interface NumberRowData extends NumberRow {
  workspaceUuid: string
  user: { id: number; name: string; email: string }
  assistant: { id: number; name: string; voice_assistant_id: string } | null
}

/** The configuration record of a number (contract: numbers 1). */
export function numberRecord(row: NumberRowData): PhoneNumberRecord {
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    voice_phone_number_id: row.voicePhoneNumberId,
    assistant_id: row.assistantId,
    voice_assistant_id: row.voiceAssistantId,
    voice_squad_id: row.voiceSquadId,
    voice_workflow_id: row.voiceWorkflowId,
    name: row.name,
    provider: row.provider,
    fallback_destination: row.fallbackDestination,
    server: row.server,
    hooks: row.hooks,
    sms_enabled: row.smsEnabled,
    static_ip_enabled: row.staticIpEnabled,
    metadata: row.metadata,
    last_synced_at: row.lastSyncedAt?.toISOString() ?? null,
    user_id: row.userId,
    created_by: row.createdBy,
    reseller_id: String(row.resellerId),
    workspace_id: row.workspaceUuid,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    assistant: row.assistant,
    user: row.user,
  }
}

/**
 * Who may configure a number has to send a list or its headers again whole; everybody else sees no secrets in it
 * (contract: numbers 36).
 */
const maySeeSecrets = ({ account }: Reader) =>
  account.workspaceRole !== 'viewer' && hasScope(account.scopes, 'phone_numbers:write')

/** The record as it is retrieved: with whether the number can take messages at all. */
export function retrievedRecord(ctx: Reader, row: NumberRowData) {
  const record = { ...numberRecord(row), sms_available: row.provider === smsProvider && row.smsCapable }
  const { server, hooks } = record
  return maySeeSecrets(ctx)
    ? record
    : { ...record, ...(maskedIn({ server, hooks }) as Pick<NumberRow, 'server' | 'hooks'>) }
}
