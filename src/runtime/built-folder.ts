import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A folder that is made from sources, and made again once they are others. */
export interface BuiltFolder {
  folder: string
  /** The file in it that says in `key` what it was built from. */
  manifest: string
  /** A hash of all that it is built from. */
  sourceKey(): Promise<string>
  /** Builds into an empty folder, the manifest last. Throws when a source has errors. */
  build(folder: string, key: string): Promise<void>
}

async function keyOf({ manifest }: BuiltFolder, folder: string): Promise<string | undefined> {
  const file = Bun.file(join(folder, manifest))
  if (!(await file.exists())) return undefined
  const { key }: { key: string } = await file.json()
  return key
}

/** A hash of files, each by its path below `root` and what is in it, and of `more`. */
export async function hashOfFiles(root: string, paths: readonly string[], more = ''): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const contents = await Promise.all(paths.map((path) => Bun.file(path).bytes()))
  for (const [index, path] of paths.entries()) {
    hasher.update(path.slice(root.length))
    hasher.update(contents[index] ?? '')
  }
  return hasher.update(more).digest('hex').slice(0, 16)
}

/** Whether the folder is built from these very sources. */
export const isCurrent = async (built: BuiltFolder): Promise<boolean> =>
  (await keyOf(built, built.folder)) === (await built.sourceKey())

/**
 * Builds the folder unless it is of these very sources. Returns whether it built. It appears all at once, so that a
 * server and several builds may run beside each other. Throws when a source has errors.
 */
export async function makeCurrent(built: BuiltFolder): Promise<boolean> {
  const { folder } = built
  const key = await built.sourceKey()
  if ((await keyOf(built, folder)) === key) return false
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  try {
    await built.build(fresh, key)
    const old = `${fresh}-old`
    await rename(folder, old).catch(() => {})
    await rename(fresh, folder).catch(async (error: unknown) => {
      // Another build was faster.
      if ((await keyOf(built, folder)) !== key) throw error
    })
    await rm(old, { recursive: true, force: true })
    return true
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
