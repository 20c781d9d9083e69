import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../runtime/error-code.ts'
import { checkKey, type Files } from './files.ts'
import { flushFolder } from './whole-file.ts'

const isMissing = (error: unknown) => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'

/** The value of a file operation, or undefined when there is no such file. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Files are written here and moved when they are whole. No key begins with a dot, so that nobody reads them. */
const unfinishedFolder = '.unfinished'

/** Files in a folder of this machine, readable by its owner only. */
export function folderFiles(folder: string): Files {
  const placeOf = (key: string) => {
    checkKey(key)
    return join(folder, key)
  }
  const unfinishedIn = join(folder, unfinishedFolder)
  /** A key as one name: a slash is in no other one. */
  const flat = (key: string) => key.replaceAll('/', '+')
  const sizeOf = async (place: string) => {
    const found = await unlessMissing(stat(place))
    return found?.isFile() ? found.size : undefined
  }

  return {
    async put(key, content) {
      const place = placeOf(key)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      await mkdir(unfinishedIn, { recursive: true, mode: 0o700 })
      const unfinished = join(unfinishedIn, `${flat(key)}.${randomUUID()}`)
      try {
        const file = await open(unfinished, 'wx', 0o600)
        try {
          await Bun.write(unfinished, content)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, place)
        await flushFolder(dirname(place))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    async get(key) {
      const place = placeOf(key)
      return (await sizeOf(place)) === undefined ? undefined : unlessMissing(Bun.file(place).bytes())
    },

    async stream(key) {
      const place = placeOf(key)
      const size = await sizeOf(place)
      return size === undefined ? undefined : { body: Bun.file(place).stream(), size }
    },

    async delete(key) {
      await rm(placeOf(key), { force: true })
      // What a crash left of it, too; only what is being written right now is listed.
      const left = (await unlessMissing(readdir(unfinishedIn))) ?? []
      const own = left.filter((name) => name.startsWith(`${flat(key)}.`))
      await Promise.all(own.map((name) => rm(join(unfinishedIn, name), { force: true })))
    },
  }
}
