import { existsSync, readdirSync } from 'node:fs'
import { cp, readdir, rename, rm } from 'node:fs/promises'
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

/** What is where the database's files belong is none that opens; the message says what to do. */
export class DatabaseFolderError extends Error {
  override readonly name = 'DatabaseFolderError'
}

/** Every PostgreSQL has it, and it is written last. */
const mark = 'PG_VERSION'

/** What the root of a disk has that holds nothing. */
const ofDisks = 'lost+found'

/**
 * Whether a folder holds a database; false where it is empty or missing.
 * @throws DatabaseFolderError where it holds something else, such as a part of a database, which nothing may be laid
 * over
 */
export function holdsDatabase(folder: string): boolean {
  const names = namesIn(folder)
  if (names.length === 0 || names.includes(mark)) return names.length > 0
  throw new DatabaseFolderError(
    `The folder ${folder} is not empty, and what it holds is not a whole database: ${mark} is missing. Move it away, then copy the whole folder again or restore a backup. Without either, a start makes an empty database.`,
  )
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder).filter((name) => name !== ofDisks)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseFolderError(`The database folder ${folder} cannot be read: ${reason}`)
  }
}

/**
 * Lays out a PostgreSQL without tables in a folder that is empty or not there yet; a database that is there stays as it
 * is. The folder appears whole, so that a process that is killed meanwhile leaves nothing that opens.
 * @throws DatabaseUnwritableError where there is no room for it, or no permission
 * @throws DatabaseFolderError where the folder holds something else
 */
export async function layOutEmptyDatabase(folder: string): Promise<void> {
  if (holdsDatabase(folder)) return
  const unfinished = `${folder}.unfinished`
  const archive = join(
    dirname(Bun.resolveSync('@electric-sql/pglite-prepopulatedfs', import.meta.dirname)),
    'prepopulatedfs.tgz',
  )
  const files = new Bun.Archive(await Bun.file(archive).bytes())
  try {
    await rm(unfinished, { recursive: true, force: true })
    await files.extract(unfinished)
    await putInPlace(unfinished, folder)
  } catch (cause) {
    throw new DatabaseUnwritableError(folder, cause)
  } finally {
    // A part of it would keep a full disk full.
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * An empty folder is replaced. One that cannot be, such as the root of a disk, is filled, with the mark of a database
 * last.
 */
async function putInPlace(made: string, folder: string): Promise<void> {
  if (!existsSync(folder)) return rename(made, folder)
  await rename(made, folder).catch(() => fill(made, folder))
}

async function fill(made: string, folder: string): Promise<void> {
  const names = (await readdir(made)).filter((name) => name !== mark)
  try {
    for (const name of [...names, mark]) await cp(join(made, name), join(folder, name), { recursive: true })
  } catch (error) {
    for (const name of [mark, ...names]) await rm(join(folder, name), { recursive: true, force: true })
    throw error
  }
}
