import { randomUUID } from 'node:crypto'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../runtime/error-code.ts'

/** No file is written for as long as this: what is older was left by a process that was killed. */
const leftAfterMs = 60_000

const beside = (file: string) => `${file}.${randomUUID()}.unfinished`

async function removeLeft(file: string): Promise<void> {
  const folder = dirname(file)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(file)}.`) || !name.endsWith('.unfinished')) continue
    const left = join(folder, name)
    const written = await stat(left).catch(() => undefined)
    if (written && Date.now() - written.mtimeMs > leftAfterMs) await rm(left, { force: true })
  }
}

/** Writes to a file and waits until it is on the disk. */
async function writeFlushed(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What is in a folder stays there after a loss of power. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  // Some file systems flush no folders.
  await handle.sync().catch(() => {})
  await handle.close()
}

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Gives a file another name unless that is taken; true when it was free. */
async function placeNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!noLinks.has(String(codeOf(error)))) throw error
    if (await stat(to).catch(() => undefined)) return false
    await rename(from, to)
    return true
  }
}

/**
 * Makes a file for its owner alone, which appears whole or not at all, whatever ends the process. One that has the name
 * already stays; with `emptyToo` unless it is empty. Of two that make it at once the first one counts, but
 * where both replace an empty one.
 */
export async function makeWholeFile(file: string, make: () => string, { emptyToo = false } = {}): Promise<void> {
  await removeLeft(file)
  const found = await stat(file).catch(() => undefined)
  const isEmpty = emptyToo && found?.size === 0
  if (found && !isEmpty) return
  const unfinished = beside(file)
  try {
    await writeFlushed(unfinished, make())
    if (isEmpty) await rename(unfinished, file)
    else await placeNew(unfinished, file)
    await flushFolder(dirname(file))
  } finally {
    await rm(unfinished, { force: true })
  }
}
