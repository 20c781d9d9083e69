import { sql } from 'drizzle-orm'
import { backups } from '../../backup/table.ts'
import type { Database } from '../../db/client.ts'
import { holds } from '../../resources/billing/table.ts'
import { gauge, type Metric } from '../../runtime/metrics.ts'
import { liveWrites } from '../../voice-platform/mirror/journal/table.ts'
import { webhookDeliveries } from '../../webhooks/table.ts'

const seconds = (column: unknown) => sql`coalesce(extract(epoch from now() - min(${column})), 0)::float8`

interface Row extends Record<string, number | null> {
  journal: number
  journal_age: number
  holds: number
  holds_expired: number
  webhooks: number
  webhooks_age: number
  backup_age: number | null
  backup_failing: number
}

/** Metrics that are read from the database, and so are the same on every instance. */
export async function databaseMetrics(db: Database): Promise<Metric[]> {
  const [row] = await db.execute<Row>(sql`select
    (select count(*)::int from ${liveWrites}) as journal,
    (select ${seconds(liveWrites.createdAt)} from ${liveWrites}) as journal_age,
    (select count(*)::int from ${holds}) as holds,
    (select count(*)::int from ${holds} where ${holds.expiresAt} < now()) as holds_expired,
    (select count(*)::int from ${webhookDeliveries} where ${webhookDeliveries.status} = 'pending') as webhooks,
    (select ${seconds(webhookDeliveries.dueAt)} from ${webhookDeliveries}
      where ${webhookDeliveries.status} = 'pending' and ${webhookDeliveries.dueAt} < now()) as webhooks_age,
    (select extract(epoch from now() - max(${backups.finishedAt}))::float8 from ${backups}) as backup_age,
    (select count(*)::int from ${backups} where ${backups.lastError} is not null) as backup_failing`)
  if (!row) return []
  return [
    gauge('switchboard_live_writes', 'Writes to the live platform that are not finished.', row.journal),
    gauge('switchboard_live_write_age_seconds', 'Age of the oldest unfinished live write.', row.journal_age),
    gauge('switchboard_holds', 'Turns that hold money.', row.holds),
    gauge('switchboard_holds_expired', 'Holds that were left by a process that died.', row.holds_expired),
    gauge('switchboard_webhooks_pending', 'Webhooks that are still to be sent.', row.webhooks),
    gauge('switchboard_webhook_lateness_seconds', 'How late the webhook is that is due longest.', row.webhooks_age),
    gauge('switchboard_backup_failing', 'Whether the last scheduled backup failed.', row.backup_failing),
    ...(row.backup_age === null
      ? []
      : [gauge('switchboard_backup_age_seconds', 'Age of the last scheduled backup.', row.backup_age)]),
  ]
}
