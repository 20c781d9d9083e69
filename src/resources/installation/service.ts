import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import type { WorkState } from '../../db/work/poller.ts'
import { version } from '../../runtime/version.ts'
import type { Installation } from './schema.ts'

const workRecord = ({ name, isRunning, dueInSeconds, counts }: WorkState) => ({
  name,
  running: isRunning,
  due_in_seconds: dueInSeconds,
  due: counts?.due ?? null,
  waiting: counts?.waiting ?? null,
  claimed: counts?.claimed ?? null,
  failing: counts?.failing ?? null,
  dead: counts?.dead ?? null,
  last_error: counts?.lastError ?? null,
})

/** What runs here, how far its upgrade is, and how its background work is doing (contract: server 22). */
export async function getInstallation({ health, work }: AccountContext): Promise<z.input<typeof Installation>> {
  const [reason, migrations, kinds] = await Promise.all([health.notReady(), health.migrations(), work.overview()])
  return {
    version,
    ready: reason === undefined,
    reason: reason ?? null,
    voice_platform: health.voicePlatform,
    database: { kind: health.database, migrations },
    work: kinds.map(workRecord),
  }
}
