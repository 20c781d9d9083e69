import { and, eq, inArray } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import type { KeptConfiguration } from '../history/configuration.ts'
import { toolNames } from '../history/names.ts'
import { readableChanges } from '../history/readable-changes.ts'
import { sentenceOf } from '../history/sentences.ts'
import { assistantVersions } from '../history/table.ts'

/**
 * What differs between two entries of an assistant's history, from the first to the second.
 * Throws 404 for an entry that does not exist, 422 for one that holds no configuration.
 */
export async function compareVersions(
  ctx: AccountContext,
  input: { assistantId: string; entryId: number; otherId: number },
) {
  const { id, workspaceId } = await requireAssistant(ctx, input.assistantId)
  const rows = await ctx.db
    .select({
      id: assistantVersions.id,
      createdAt: assistantVersions.createdAt,
      configuration: assistantVersions.configuration,
    })
    .from(assistantVersions)
    .where(and(eq(assistantVersions.assistantId, id), inArray(assistantVersions.id, [input.entryId, input.otherId])))
  const entry = (entryId: number) => {
    const row = rows.find((one) => one.id === entryId)
    if (!row) throw new ApiError('version_not_found')
    if (!row.configuration) throw new ApiError('version_not_restorable')
    const configuration = row.configuration as unknown as KeptConfiguration
    return { configuration, shown: { id: row.id, created_at: row.createdAt.toISOString() } }
  }
  const [from, to] = [entry(input.entryId), entry(input.otherId)]
  const configurations = [from.configuration, to.configuration] as const
  const tools = await toolNames(ctx.db, workspaceId, configurations)
  const [before, after] = configurations
  const changes = readableChanges(
    [before, after],
    [
      { sources: before.sources ?? {}, tools },
      { sources: after.sources ?? {}, tools },
    ],
  )
  return {
    from: from.shown,
    to: to.shown,
    changes: changes.map((change) => ({ from: null, to: null, ...change, summary: sentenceOf(change) })),
  }
}
