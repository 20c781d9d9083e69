import type { Logger } from 'pino'
import type { DatabaseHandle } from '../../db/client.ts'
import { clearLeases } from '../../db/lease/lease.ts'
import { migrate } from '../../db/migrate.ts'
import { newToken } from '../../resources/tokens/secret.ts'
import { beforeUpgrade } from '../backup/before-upgrade.ts'
import type { Env } from '../env.ts'
import { ensureAdmin } from './admin.ts'
import { fillFirstCatalogue } from './catalogue.ts'
import { adminKeyIn } from './data-folder.ts'

/**
 * Brings the database to where requests can be served; the same again changes nothing. Returns the first admin's key
 * when it was made here. Throws EnvError for a kept key that is none, before anything is changed, and the reason of
 * `signal` before the next migration.
 */
export async function prepareDatabase(
  env: Env,
  database: DatabaseHandle,
  { now, log, signal }: { now: Date; log: Logger; signal?: AbortSignal },
): Promise<string | undefined> {
  const kept = env.adminApiKey === undefined && database.embedded ? await adminKeyIn(env.dataDir, newToken) : undefined
  const before = beforeUpgrade(env, database, (line) => log.info({ event: 'before_upgrade' }, line))
  await migrate(database, undefined, { signal, before, say: (line) => log.info({ event: 'upgrade' }, line) })
  if (database.embedded) {
    await clearLeases(database.db)
    await fillFirstCatalogue(database.db, { now, withTools: env.voicePlatform === undefined, timeZone: env.timeZone })
  }
  const key = env.adminApiKey ?? kept
  if (key !== undefined) await ensureAdmin(database.db, key, now)
  return kept
}
