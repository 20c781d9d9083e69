/** What an account can be and may do (contract: accounts 4). Plain data, so that schemas, tables and gates share it. */

export const roles = ['admin', 'reseller_admin', 'user'] as const
export type Role = (typeof roles)[number]

export const workspaceRoles = ['owner', 'editor', 'viewer'] as const
export type WorkspaceRole = (typeof workspaceRoles)[number]

export const userStatuses = ['active', 'suspended'] as const
export type UserStatus = (typeof userStatuses)[number]

export const features = ['assistants', 'phone_numbers', 'squads', 'ai_chat'] as const
export type Feature = (typeof features)[number]

/** What scopes of tokens tell apart: each feature, what every user has (profile, tokens), and what operators have. */
export const tokenAreas = [...features, 'account', 'admin'] as const
export type TokenArea = (typeof tokenAreas)[number]

const accessLevels = ['read', 'write'] as const
export type AccessLevel = (typeof accessLevels)[number]

/**
 * `read` and `write` hold for every area, `assistants:read` for one. To write includes to read (contract: accounts 24).
 */
export type TokenScope = AccessLevel | `${TokenArea}:${AccessLevel}`
export const tokenScopes: readonly TokenScope[] = [
  ...accessLevels,
  ...tokenAreas.flatMap((area) => accessLevels.map((level): TokenScope => `${area}:${level}`)),
]

/** The caller: who a token acts as, with everything that the gates and scopes need. */
export interface Account {
  tokenId: number
  tokenExpiresAt: Date | null
  /** Null: whatever the user may. */
  scopes: readonly TokenScope[] | null
  userId: number
  name: string
  email: string
  role: Role
  workspaceId: number
  workspaceUuid: string
  workspaceRole: WorkspaceRole
  resellerId: number
  features: readonly Feature[]
  emailVerified: boolean
  assistantQuota: number | null
}

/** "Admin roles" in the documents are `admin` and `reseller_admin`. */
export const hasAdminRole = (account: Account) => account.role !== 'user'

/** Who sees every account. */
export const isOperator = (account: Account) => account.role === 'admin'
