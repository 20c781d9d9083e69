import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The files of a new database could not be written. */
export class DatabaseUnwritableError extends Error {
  override readonly name = 'DatabaseUnwritableError'

  constructor(folder: string, cause: unknown) {
    super(`A new database could not be written to ${folder}: it needs 40 MB, and the permission to write there`, {
      cause,
    })
  }
}

/**
 * Lays out a PostgreSQL without tables in a folder that is not there yet; one that is there stays as it is. The folder
 * appears whole, so that a process that is killed meanwhile leaves nothing that opens.
 * @throws DatabaseUnwritableError where there is no room for it, or no permission
 */
export async function layOutEmptyDatabase(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.unfinished`
  const archive = join(
    dirname(Bun.resolveSync('@electric-sql/pglite-prepopulatedfs', import.meta.dirname)),
    'prepopulatedfs.tgz',
  )
  const files = new Bun.Archive(await Bun.file(archive).bytes())
  try {
    await rm(unfinished, { recursive: true, force: true })
    await files.extract(unfinished)
    await rename(unfinished, folder)
  } catch (cause) {
    throw new DatabaseUnwritableError(folder, cause)
  }
}
