import { and, asc, eq, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { literalRefusal, outgoingTexts } from '../../outgoing/refusal.ts'
import { isPlainAddress } from '../../outgoing/sendable.ts'
import { sealHeaders } from './headers.ts'
import type { Connector, CreateConnectorInput, UpdateConnectorInput } from './schema.ts'
import { connectors } from './table.ts'

type Row = typeof connectors.$inferSelect

const record = (row: Row): z.input<typeof Connector> => ({
  uid: row.uid,
  name: row.name,
  description: row.description,
  server_url: row.serverUrl,
  scope: row.scope,
  active: row.active,
  created_at: row.createdAt.toISOString(),
})

/** The caller's own; operators look after the global ones together. */
const registered = ({ account }: AccountContext) => {
  const own = and(eq(connectors.ownerId, account.userId), eq(connectors.scope, 'own'))
  return account.role === 'admin' ? or(own, eq(connectors.scope, 'global')) : own
}

/** Throws 422 on `server_url` for what could never be asked (contract: connectors 4). */
function checkUrl(ctx: AccountContext, url: string): void {
  const reason = isPlainAddress(url) ? literalRefusal(url, { allowed: ctx.allowedPlaces }) : 'invalid_url'
  if (reason) throw validationError({ server_url: [`The server_url field ${outgoingTexts[reason]}.`] })
}

/** The caller's registry of tool servers. */
export async function listConnectors(ctx: AccountContext) {
  const rows = await ctx.db.select().from(connectors).where(registered(ctx)).orderBy(asc(connectors.id)).limit(1000)
  return rows.map(record)
}

/** Registers a tool server. Throws 422 for a URL that must not be asked. */
export async function createConnector(ctx: AccountContext, input: z.output<typeof CreateConnectorInput>) {
  checkUrl(ctx, input.server_url)
  const now = ctx.clock.now()
  const uid = ctx.idempotencyId ?? crypto.randomUUID()
  const [made] = await ctx.db
    .insert(connectors)
    .values({
      uid,
      ownerId: ctx.account.userId,
      workspaceId: ctx.account.workspaceId,
      scope: ctx.account.role === 'admin' ? (input.scope ?? 'own') : 'own',
      name: input.name,
      description: input.description ?? '',
      serverUrl: input.server_url,
      headers: sealHeaders(ctx.vault, input.headers),
      active: input.active ?? true,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: connectors.uid })
    .returning()
  return record(made ?? (await requireRegistered(ctx, uid)))
}

async function requireRegistered(ctx: AccountContext, uid: string): Promise<Row> {
  const [row] = await ctx.db
    .select()
    .from(connectors)
    .where(and(eq(connectors.uid, uid), registered(ctx)))
  if (!row) throw new ApiError('connector_not_found')
  return row
}

/** Changes what is sent. Throws 422 for a URL that must not be asked, 404. */
export async function updateConnector(ctx: AccountContext, input: z.output<typeof UpdateConnectorInput>) {
  if (input.server_url !== undefined) checkUrl(ctx, input.server_url)
  const row = await requireRegistered(ctx, input.connector_id)
  const [changed] = await ctx.db
    .update(connectors)
    .set({
      name: input.name,
      description: input.description === null ? '' : input.description,
      serverUrl: input.server_url,
      headers: input.headers === undefined ? undefined : sealHeaders(ctx.vault, input.headers),
      active: input.active,
      scope: ctx.account.role === 'admin' ? input.scope : undefined,
      updatedAt: ctx.clock.now(),
    })
    .where(eq(connectors.id, row.id))
    .returning()
  if (!changed) throw new ApiError('connector_not_found')
  await ctx.mcpServers.invalidate(row.uid)
  return record(changed)
}

/** Deletes a connector; agents lose it. Throws 404. */
export async function deleteConnector(ctx: AccountContext, input: { connector_id: string }) {
  const [deleted] = await ctx.db
    .delete(connectors)
    .where(and(eq(connectors.uid, input.connector_id), registered(ctx)))
    .returning({ uid: connectors.uid })
  if (!deleted) throw new ApiError('connector_not_found')
  await ctx.mcpServers.invalidate(deleted.uid)
  return deleted.uid
}
