import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Lays out a PostgreSQL without tables in a folder that is not there yet; one that is there stays as it is. The folder
 * appears whole, so that a process that is killed meanwhile leaves nothing that opens. Rejects when it cannot be written.
 */
export async function layOutEmptyDatabase(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.unfinished`
  const archive = join(
    dirname(Bun.resolveSync('@electric-sql/pglite-prepopulatedfs', import.meta.dirname)),
    'prepopulatedfs.tgz',
  )
  await rm(unfinished, { recursive: true, force: true })
  await new Bun.Archive(await Bun.file(archive).bytes()).extract(unfinished)
  await rename(unfinished, folder)
}
