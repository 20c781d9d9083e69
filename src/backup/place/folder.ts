import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../../runtime/log.ts'
import { BackupError } from '../format.ts'
import { isArchiveName, type Place } from './place.ts'

const ending = '.unfinished'
/** A name of ours; part of it is random, so that nobody has made a file or a link of that name before. */
const unfinishedName = (name: string) => `.${name}.${randomUUID()}${ending}`
const isUnfinished = (name: string) => /^\.switchboard-.+\.[0-9a-f-]{36}\.unfinished$/.test(name)
const abandonedMs = 24 * 60 * 60 * 1000

/** Removes what a process that was killed left of an archive. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isUnfinished(name)) continue
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - abandonedMs) await rm(join(folder, name), { force: true })
  }
}

/** Makes the folder when it is missing, and a file of that name in it. Throws BackupError. */
async function openIn(folder: string, name: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeAbandoned(folder)
    return await open(join(folder, name), 'wx', 0o600)
  } catch (cause) {
    throw new BackupError(`No archive can be kept in ${folder} (${reasonOf(cause)}).`, { cause })
  }
}

/** Archives in a folder of this machine, made when missing; readable by their owner only. */
export function folderPlace(folder: string): Place {
  return {
    label: (name) => join(folder, name),

    async write(name, archive) {
      const temporary = unfinishedName(name)
      const file = await openIn(folder, temporary)
      const unfinished = join(folder, temporary)
      try {
        try {
          let size = 0
          for await (const chunk of archive) {
            await file.writeFile(chunk)
            size += chunk.length
          }
          await file.sync()
          await rename(unfinished, join(folder, name))
          return size
        } finally {
          await file.close()
        }
      } catch (error) {
        // Why it failed is to be told, not that its beginning could not be removed either.
        await rm(unfinished, { force: true }).catch(() => {})
        throw error
      }
    },

    async read(name) {
      const place = join(folder, name)
      const found = await stat(place).catch(() => undefined)
      if (!found?.isFile()) throw new BackupError(`There is no archive ${place}.`)
      return Bun.file(place).stream()
    },

    async list() {
      const names = await readdir(folder).catch(() => [])
      return names.filter(isArchiveName).sort()
    },

    delete: (name) => rm(join(folder, name), { force: true }),
  }
}
