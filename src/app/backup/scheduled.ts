import { join } from 'node:path'
import type { Logger } from 'pino'
import { backupSchedule } from '../../backup/schedule.ts'
import type { Database } from '../../db/client.ts'
import { systemTimers } from '../../runtime/timers.ts'
import type { Env } from '../env.ts'

/** The command of this installation: of the single file, which carries it, or of the sources. */
const command = Bun.main.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dirname, '../../../cli/main.ts')]

const maxReason = 500

/** Runs `switchboard backup` as a process of its own, so that requests do not wait for it. Returns where the archive is. */
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

/** The backups that the settings ask for, as background work; undefined where they ask for none. */
export const scheduledBackups = ({ backups }: Env, db: Database, log: Logger) =>
  backups.to !== undefined && backups.hours > 0
    ? backupSchedule({ db, log, hours: backups.hours, timers: systemTimers, make: backUpApart })
    : undefined
