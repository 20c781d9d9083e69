import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DataFolderInUseError } from '../../db/lock.ts'

/** The highest folder that is missing above a missing one, or that one itself. */
function firstMissing(folder: string): string {
  const above = dirname(folder)
  return above === folder || existsSync(above) ? folder : firstMissing(above)
}

/** What makes a folder again as it is now; undefined where it holds something or is none. */
function madeFrom(folder: string): (() => Promise<void>) | undefined {
  if (!existsSync(folder)) {
    const top = firstMissing(folder)
    return () => rm(top, { recursive: true, force: true })
  }
  if (!statSync(folder).isDirectory() || readdirSync(folder).length > 0) return undefined
  return async () => {
    for (const name of readdirSync(folder)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Does work that may lay out a data folder; where it fails, a folder that was missing or empty is so again. */
export async function layingOut<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const remove = madeFrom(dataDir)
  try {
    return await work()
  } catch (error) {
    // Another process began there meanwhile.
    if (!(error instanceof DataFolderInUseError)) await remove?.().catch(() => {})
    throw error
  }
}
