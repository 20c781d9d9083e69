import type { Settings } from '../dependencies.ts'
import type { OperatedUserRecord } from './schema.ts'
import type { users } from './table.ts'

const timeOf = (time: Date | null) => time?.toISOString() ?? null

/**
 * The record of a user's row (contract: profile 1); schemas drop what is not theirs. Only one role acts for a
 * reseller, so `is_reseller` and `is_reseller_admin` are the same here.
 */
export function userRecord(row: typeof users.$inferSelect, { publicUrl }: Settings): OperatedUserRecord {
  const actsForReseller = row.role === 'reseller_admin'
  return {
    id: row.id,
    reseller_id: String(row.resellerId),
    reseller_current_ui_version: '1',
    reseller_ui_intro_seen_at: null,
    name: row.name,
    email: row.email,
    identity_id: row.identityId,
    social_id: row.socialId,
    role: row.role,
    phone: row.phone,
    company: row.company,
    bio: row.bio,
    profile_picture: row.profilePicture === null ? null : `${publicUrl}/files/${row.profilePicture}`,
    status: row.status,
    email_verified_at: timeOf(row.emailVerifiedAt),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    deleted_at: timeOf(row.deletedAt),
    is_reseller_admin: actsForReseller,
    is_reseller: actsForReseller,
    workspace_id: row.workspaceId,
    workspace_role: row.workspaceRole,
    features: row.features,
    assistant_quota: row.assistantQuota,
  }
}
