import { shown } from '../cli/terminal.ts'
import { refusalOf } from '../src/app/refusals.ts'
import { reasonOf } from '../src/runtime/log.ts'

/**
 * Runs a script whose files are for their owner alone. What goes wrong is told in a line, and the process ends with 1.
 */
export async function runPrivately(run: () => Promise<void>): Promise<void> {
  try {
    process.umask(0o077)
    await run()
  } catch (error) {
    console.error(shown(refusalOf(error) ?? reasonOf(error)))
    process.exitCode = 1
  }
}
