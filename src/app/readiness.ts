import type { DatabaseHandle } from '../db/client.ts'
import { migrationState, migrationsPending } from '../db/migrate.ts'
import type { Health } from '../resources/dependencies.ts'
import { ifInTime } from '../runtime/deadline.ts'
import { countDrift } from '../voice-platform/drift/findings.ts'
import type { Externals } from './externals.ts'

/** How long the report of what runs here waits for the database. */
const driftCountMs = 500

/** A standby, or a server that was made read-only: a fail-over that is not over yet. */
async function takesNoWrites({ sql }: DatabaseHandle): Promise<boolean> {
  const [row] = await sql<{ mode: string }[]>`select current_setting('transaction_read_only') as mode`
  return row?.mode === 'on'
}

type Outside = Pick<Externals, 'database' | 'embeddedPlatform' | 'isStopping'>

/** What runs here, and why it takes no requests when it does not. */
export function createHealth({ database, embeddedPlatform, isStopping }: Outside): Health {
  return {
    database: database.embedded ? 'embedded' : 'postgresql',
    voicePlatform: embeddedPlatform ? 'embedded (simulated)' : 'live',
    drift: () =>
      ifInTime(
        countDrift(database.db).catch(() => undefined),
        driftCountMs,
      ),
    migrations: () => migrationState(database),
    async notReady() {
      if (isStopping?.()) return 'the server is stopping'
      try {
        await database.ping()
        if (await takesNoWrites(database)) return 'the database takes no writes'
        return (await migrationsPending(database)) ? 'migrations are pending' : undefined
      } catch {
        return 'the database is out of reach'
      }
    },
  }
}
