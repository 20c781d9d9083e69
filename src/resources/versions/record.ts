import type { AccountContext } from '../../api/context.ts'
import type { Transaction } from '../../db/client.ts'
import { changesBetween, summarize } from './diff.ts'
import { assistantVersions, type VersionAction, type VersionSource } from './table.ts'

/** An assistant's whole configuration as a version keeps it. */
export interface Configuration {
  name: string
  type: string
  template_id: number | null
  personality_id: number | null
  base_config_id: number | null
  industry_template_id: number | null
  layer2_key: string | null
  webhook_url: string | null
  metadata: object
  config: object
  /** The live twin's body, texts rendered. */
  live: object
}

interface Entry {
  assistantId: number
  action: VersionAction
  source: VersionSource
  before: Configuration | undefined
  after: Configuration
  restoredFrom?: number
}

/** What readers of the history compare: the configuration in the write body's names, and the rendered prompt. */
function comparable({ config, live, ...rest }: Configuration): object {
  const model = 'model' in live ? live.model : undefined
  const messages = typeof model === 'object' && model !== null && 'messages' in model ? model.messages : undefined
  return { ...rest, ...config, rendered: { messages } }
}

/**
 * Adds an entry to an assistant's history, in the transaction that saves the change. A save that changes nothing
 * writes none (spec 3, section 4).
 */
export async function recordVersion(tx: Transaction, ctx: AccountContext, entry: Entry): Promise<void> {
  const { before, after } = entry
  if (before && Bun.deepEquals(before, after)) return
  const changes = before ? changesBetween(comparable(before), comparable(after)) : []
  await tx.insert(assistantVersions).values({
    assistantId: entry.assistantId,
    action: entry.action,
    source: entry.source,
    actorId: ctx.account.userId,
    actorName: ctx.account.name,
    changes,
    summary: before ? summarize(changes) : `Created ${after.name}`,
    configuration: { ...after },
    restoredFrom: entry.restoredFrom ?? null,
    createdAt: ctx.clock.now(),
  })
}
