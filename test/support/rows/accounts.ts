import { eq } from 'drizzle-orm'
import type { DatabaseHandle } from '../../../src/db/client.ts'
import { auditEntries } from '../../../src/resources/audit/table.ts'
import { imports } from '../../../src/resources/imports/table.ts'
import { tokens } from '../../../src/resources/tokens/table.ts'
import { users } from '../../../src/resources/users/table.ts'
import { workspaces } from '../../../src/resources/workspaces/table.ts'
import type { TestUser } from '../app.ts'

/** A user as it is stored. */
export async function storedUser({ db }: DatabaseHandle, userId: number) {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  if (!row) throw new Error('no user')
  return row
}

/** Changes a user behind the back of this process, as another instance on the database would. */
export const changeUser = ({ db }: DatabaseHandle, userId: number, columns: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(columns).where(eq(users.id, userId))

/** Changes a workspace in the same way. */
export const changeWorkspace = (
  { db }: DatabaseHandle,
  workspaceId: number,
  columns: Partial<typeof workspaces.$inferInsert>,
) => db.update(workspaces).set(columns).where(eq(workspaces.id, workspaceId))

/** The tokens of a user as they are stored. */
export const storedTokens = ({ db }: DatabaseHandle, userId: number) =>
  db.select().from(tokens).where(eq(tokens.userId, userId)).orderBy(tokens.id)

/** Changes the token with this hash behind the back of this process. */
export const changeToken = ({ db }: DatabaseHandle, hash: string, columns: Partial<typeof tokens.$inferInsert>) =>
  db.update(tokens).set(columns).where(eq(tokens.hash, hash))

/** The first entry of the audit trail as it is stored. */
export async function oldestAuditEntry({ db }: DatabaseHandle) {
  const [entry] = await db.select().from(auditEntries).orderBy(auditEntries.id).limit(1)
  return entry
}

/** An import from the voice platform that has ended. Returns its id. */
export async function addImport(
  { db }: DatabaseHandle,
  { userId, workspaceId, resellerId }: TestUser,
): Promise<number> {
  const requested = { requestedBy: userId, requestedByName: 'Operator', finishedAt: new Date() }
  const [row] = await db
    .insert(imports)
    .values({ userId, workspaceId, resellerId, ...requested })
    .returning({ id: imports.id })
  if (!row) throw new Error('no import')
  return row.id
}

/** Entries of the audit trail about subjects of this kind. */
export const addAuditEntries = ({ db }: DatabaseHandle, subjectKind: string, count: number, createdAt: Date) =>
  db.insert(auditEntries).values(
    Array.from({ length: count }, () => ({
      action: 'updated' as const,
      subjectKind,
      subjectId: '1',
      changes: [],
      createdAt,
    })),
  )

export const dropAuditEntries = ({ db }: DatabaseHandle, subjectKind: string) =>
  db.delete(auditEntries).where(eq(auditEntries.subjectKind, subjectKind))
