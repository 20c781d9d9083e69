import { eq, or, type SQL } from 'drizzle-orm'
import { tools } from '../catalogue/table.ts'
import { users } from '../users/table.ts'

/** Which tools a workspace may name, where the user who owns each is joined (contract: tools 12). */
export const ofWorkspace = (workspaceId: number): SQL | undefined =>
  or(eq(tools.scope, 'global'), eq(users.workspaceId, workspaceId))
