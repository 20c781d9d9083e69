import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { requireWorkspace } from '../workspaces/service.ts'
import type { Access } from './schema.ts'

/** What the caller's token may do, and where (contract: profile 12). */
export async function getAccess({ db, account }: AccountContext): Promise<z.input<typeof Access>> {
  const { id, uuid, name, billing } = await requireWorkspace(db, account.workspaceId)
  return {
    user: { id: account.userId, name: account.name, email: account.email },
    workspace: { id, uuid, name, billing },
    role: account.role,
    workspace_role: account.workspaceRole,
    can_write: account.workspaceRole !== 'viewer',
    features: [...account.features],
    scopes: account.scopes && [...account.scopes],
    email_verified: account.emailVerified,
    assistant_quota: account.assistantQuota,
  }
}
