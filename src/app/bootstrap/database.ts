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

async function adminKey(env: Env, database: DatabaseHandle, now: Date): Promise<string | undefined> {
  const key = env.adminApiKey ?? (database.embedded ? (await adminKeyIn(env.dataDir, newToken)).value : undefined)
  if (key !== undefined) await ensureAdmin(database.db, key, now)
  return env.adminApiKey === undefined ? key : undefined
}

/**
 * Brings the database to where requests can be served; the same again changes nothing. Returns the first admin's key when
 * it was made here.
 */
export async function prepareDatabase(
  env: Env,
  database: DatabaseHandle,
  now: Date,
  log: Logger,
): Promise<string | undefined> {
  const before = beforeUpgrade(env, database, (line) => log.info({ event: 'before_upgrade' }, line))
  await migrate(database, undefined, { before, say: (line) => log.info({ event: 'upgrade' }, line) })
  if (database.embedded) {
    await clearLeases(database.db)
    await fillFirstCatalogue(database.db, { now, withTools: env.voicePlatform === undefined })
  }
  return adminKey(env, database, now)
}
