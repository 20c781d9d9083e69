import { join } from 'node:path'
import type { Logger } from 'pino'
import { backupSchedule } from '../../backup/schedule.ts'
import type { Database } from '../../db/client.ts'
import { systemTimers } from '../../runtime/timers.ts'
import type { Env } from '../env.ts'
import { placeFor } from './place.ts'

/** The command of this installation: of the single file, which carries it, or of the sources. */
const command = Bun.main.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dirname, '../../../cli/main.ts')]

const maxReason = 500

/**
 * Runs `switchboard backup` as a process of its own, so that requests do not wait for it. Returns where the archive is.
 */
async function backUpApart(signal: AbortSignal): Promise<string> {
  const child = Bun.spawn([...command, 'backup'], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', signal })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  signal.throwIfAborted()
  if (code !== 0) throw new Error(err.trim().split('\n').at(-1)?.slice(0, maxReason) || 'The backup ended early')
  return out.trim()
}

/** What is written to a place, and deleted again, to see whether it takes archives. */
const trial = 'switchboard-trial'

async function tryPlace(to: string, env: Env, log: Logger): Promise<void> {
  try {
    const place = placeFor(to, env)
    await place.write(trial, new Blob([trial]).stream())
    // A place that keeps what it has once taken is as good.
    await place.delete(trial).catch(() => {})
  } catch (error) {
    log.error({ event: 'backup_place_refused', setting: 'BACKUP_TO', err: error }, 'no backup can be kept there')
  }
}

/**
 * The backups that the settings ask for, as background work; undefined where they ask for none. A start tells the log
 * when their place takes none.
 */
export function scheduledBackups(env: Env, db: Database, log: Logger) {
  const { to, hours } = env.backups
  if (to === undefined || hours === 0) return undefined
  const schedule = backupSchedule({ db, log, hours, timers: systemTimers, make: backUpApart })
  return {
    ...schedule,
    async prepare(alone: boolean) {
      await schedule.prepare?.(alone)
      // A store that does not respond holds up no start.
      void tryPlace(to, env, log)
    },
  }
}
