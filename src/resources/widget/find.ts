import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { assistants } from '../assistants/table.ts'

/** An assistant as its website's visitors reach it. */
export interface Widget {
  /** The number of its row. */
  assistantId: number
  /** Its id on the live platform. */
  voiceAssistantId: string
  /** Pays for what its visitors use. */
  workspaceId: number
  enabled: boolean
  /** Every origin when empty. */
  allowedOrigins: readonly string[]
}

const byPublicKey = preparedQuery('widget_by_public_key', (db, name) =>
  db
    .select({
      assistantId: assistants.id,
      voiceAssistantId: assistants.voiceAssistantId,
      workspaceId: assistants.workspaceId,
      config: assistants.widgetEmbedConfig,
    })
    .from(assistants)
    .where(eq(assistants.publicKey, sql.placeholder('key')))
    .prepare(name),
)

/** The widget that has this public key now, or undefined. */
export async function findWidget(db: Database, publicKey: string): Promise<Widget | undefined> {
  const [row] = await byPublicKey(db).execute({ key: publicKey })
  if (!row) return undefined
  const { enabled, allowed_origins: origins } = row.config ?? {}
  return {
    assistantId: row.assistantId,
    voiceAssistantId: row.voiceAssistantId,
    workspaceId: row.workspaceId,
    enabled: enabled !== false,
    allowedOrigins: Array.isArray(origins) ? origins.filter((origin) => typeof origin === 'string') : [],
  }
}

/** Whether a page of this origin may use the widget (contract: widget 9): without one, only where every page may. */
export const allowsOrigin = ({ allowedOrigins }: Widget, origin: string | null): boolean =>
  allowedOrigins.length === 0 || (origin !== null && allowedOrigins.includes(origin.toLowerCase()))

/** The one origin that may read responses, null for none, undefined where any may. */
export function readerOf(widget: Widget, origin: string | null): string | null | undefined {
  if (widget.allowedOrigins.length === 0) return undefined
  return allowsOrigin(widget, origin) ? origin : null
}
