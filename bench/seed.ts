import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { features } from '../src/accounts/account.ts'
import { secretColumns } from '../src/app/sealed-columns.ts'
import { type Database, openDatabase } from '../src/db/client.ts'
import { migrate } from '../src/db/migrate.ts'
import { assistants } from '../src/resources/assistants/table.ts'
import { resellers } from '../src/resources/resellers/table.ts'
import { hashToken, newToken, tokenPrefix } from '../src/resources/tokens/secret.ts'
import { tokens } from '../src/resources/tokens/table.ts'
import { users } from '../src/resources/users/table.ts'
import { workspaces } from '../src/resources/workspaces/table.ts'
import { sealOldRows } from '../src/secrets/seal-old-rows.ts'
import { createVault } from '../src/secrets/vault.ts'
import { newAssistant } from './contenders/answers.ts'
import { sampleBody } from './sample.ts'

/** A caller with a workspace of its own, and some of the assistants in it. */
export interface Tenant {
  token: string
  assistantIds: string[]
}

export const workspaceCount = 20
export const perWorkspace = 500

/** The row of a query that always has one. */
export async function one<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows
  if (!row) throw new Error('nothing was inserted')
  return row
}

/** Adds an owner with a token in a new workspace. */
export async function addTenant(
  db: Database,
  resellerId: number,
  number: number,
): Promise<{ token: string; workspaceId: number; userId: number }> {
  const workspace = { uuid: randomUUID(), resellerId, name: `Workspace ${number}` }
  const { id: workspaceId } = await one(db.insert(workspaces).values(workspace).returning({ id: workspaces.id }))
  const user = {
    name: `Owner ${number}`,
    email: `owner-${number}@example.com`,
    workspaceId,
    workspaceRole: 'owner' as const,
    resellerId,
    features: [...features],
    emailVerifiedAt: new Date(),
  }
  const { id: userId } = await one(db.insert(users).values(user).returning({ id: users.id }))
  const token = newToken()
  await db.insert(tokens).values({ userId, name: 'bench', prefix: tokenPrefix(token), hash: hashToken(token) })
  return { token, workspaceId, userId }
}

/** Migrates a database and fills it: 10,000 assistants in 20 workspaces. */
export async function seed(url: string): Promise<Tenant[]> {
  const database = await openDatabase({ url })
  const { db } = database
  try {
    await migrate(database)
    const { id: resellerId } = await one(
      db.insert(resellers).values({ name: 'Reseller' }).returning({ id: resellers.id }),
    )
    const tenants: Tenant[] = []
    for (let number = 1; number <= workspaceCount; number++) {
      const { token, userId, workspaceId } = await addTenant(db, resellerId, number)
      const rows = Array.from({ length: perWorkspace }, (_, index) => ({
        ...newAssistant({ ...sampleBody, name: `Front desk ${String(index).padStart(4, '0')}` }),
        voiceAssistantId: randomUUID(),
        ...{ userId, createdBy: userId, workspaceId, resellerId },
      }))
      await db.insert(assistants).values(rows)
      tenants.push({ token, assistantIds: rows.map(({ assistantId }) => assistantId) })
    }
    // A server would look through the rows of earlier releases in the background while it is measured.
    await sealOldRows({ db, vault: createVault({ current: Buffer.alloc(32) }), columns: secretColumns })
    await database.sql`vacuum analyze`
    return tenants
  } finally {
    await database.close()
  }
}

/** Removes what the create measurement left, so that every contender finds the same table. */
export async function removeCreated(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`delete from assistants where name = ${sampleBody.name}`
  await sql`delete from live_bases`
  await sql`vacuum assistants, assistant_versions, assistant_counts, live_bases, live_writes`
  await sql.end()
}
