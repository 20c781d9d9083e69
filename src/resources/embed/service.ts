import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { makeOnce } from '../../api/idempotency/once.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { Transaction } from '../../db/client.ts'
import { configurationOf } from '../assistants/configuration.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import { assistantRemote, assistantWrite } from '../assistants/remote.ts'
import { loadSources, type Sources } from '../assistants/rendering/sources.ts'
import { assistants } from '../assistants/table.ts'
import { newPublicKey } from '../assistants/write/public-key.ts'
import { currentVersion } from '../history/names.ts'
import { recordVersion } from '../history/record.ts'
import { embedHtml } from './html.ts'
import { type EmbedInput, forWidget } from './schema.ts'

type Row = Pick<typeof assistants.$inferSelect, 'assistantId' | 'publicKey' | 'widgetEmbedConfig'>

function embedOf(ctx: AccountContext, row: Row) {
  const { publicUrl } = ctx.settings
  const config = { mode: 'chat' as const, ...row.widgetEmbedConfig }
  const scriptUrl = `${publicUrl}/widget.js`
  const apiUrl = `${publicUrl}/widget/${row.publicKey}`
  return {
    assistant_id: row.assistantId,
    embed_config: config,
    public_key: row.publicKey,
    widget_script_url: scriptUrl,
    api_url: apiUrl,
    embed_html: embedHtml({ scriptUrl, apiUrl, config: forWidget(config) }),
  }
}

/** What the texts of an assistant were last rendered from; what they would be now, where its history does not say. */
async function lastSources(tx: Transaction, row: typeof assistants.$inferSelect): Promise<Sources> {
  const { sources } = await currentVersion(tx, row.id)
  return Object.keys(sources).length > 0 ? sources : loadSources(tx, row)
}

/** The widget's configuration and its tag (contract: widget 1). Throws 404. */
export async function getEmbed(ctx: AccountContext, input: { assistantId: string }) {
  return embedOf(ctx, await requireAssistant(ctx, input.assistantId))
}

const withoutNulls = (config: object) =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))

/**
 * Replaces the widget's configuration (contract: widget 2), as the assistant's only writer, because
 * its history says so. Throws 404, 403 for viewers, 409 when other writers do not end.
 */
export async function updateEmbed(ctx: AccountContext, input: z.output<typeof EmbedInput>) {
  const { id, assistantId } = await requireAssistant(ctx, input.assistantId)
  const save = ctx.mirror.exclusively(assistantRemote(ctx), assistantId, async (tx) => {
    const mine = eq(assistants.id, id)
    const [before] = await tx.select().from(assistants).where(mine).for('update')
    await requireMatch(ctx, input, tx)
    const widgetEmbedConfig = withoutNulls(input.embed_config)
    const [row] = await tx
      .update(assistants)
      .set({ widgetEmbedConfig, updatedAt: ctx.clock.now() })
      .where(mine)
      .returning()
    if (!before || !row) throw new ApiError('assistant_not_found')
    ctx.outcome.version = await recordVersion(tx, ctx, {
      assistantId: id,
      workspaceId: row.workspaceId,
      action: 'updated',
      source: 'embed',
      before: configurationOf(before),
      after: configurationOf(row),
      sources: await lastSources(tx, row),
    })
    return row
  })
  const saved = await assistantWrite('assistant_update_failed', save)
  return embedOf(ctx, saved)
}

/**
 * Replaces the public key, once for a request with an Idempotency-Key: pages with the old one stop working at once.
 * Throws 404, 403 for viewers.
 */
export async function rotatePublicKey(ctx: AccountContext, input: { assistantId: string }) {
  const { id } = await requireAssistant(ctx, input.assistantId)
  const mine = eq(assistants.id, id)
  await makeOnce(ctx, async (tx) => {
    const publicKey = newPublicKey()
    await tx.select({ id: assistants.id }).from(assistants).where(mine).for('update')
    await requireMatch(ctx, input, tx)
    await tx.update(assistants).set({ publicKey, updatedAt: ctx.clock.now() }).where(mine)
    return publicKey
  })
}
