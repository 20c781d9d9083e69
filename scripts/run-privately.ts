import { shown } from '../cli/terminal.ts'
import { BackupError } from '../src/backup/format.ts'
import { describeError } from '../src/runtime/log.ts'

/** Runs a script whose files are for their owner alone. What goes wrong is told in a line, and the process ends with 1. */
export async function runPrivately(run: () => Promise<void>): Promise<void> {
  try {
    process.umask(0o077)
    await run()
  } catch (error) {
    console.error(shown(error instanceof BackupError ? error.message : String(describeError(error).message)))
    process.exitCode = 1
  }
}
