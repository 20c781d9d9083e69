import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import payload from './payload.tar.zst' with { type: 'file' }

/**
 * What the single file does: unpacks the program that it carries, once for each version, and runs its command; `start`
 * unless another is named.
 */

const { SWITCHBOARD_HOME, XDG_CACHE_HOME } = process.env
const home = SWITCHBOARD_HOME ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'switchboard')

/** The folder of the unpacked program; it appears whole, so that several may start at once. */
async function unpacked(): Promise<string> {
  const bytes = await Bun.file(payload).bytes()
  const name = Bun.hash(bytes).toString(36)
  const folder = join(home, name)
  if (existsSync(folder)) return folder
  console.log(`Unpacking into ${folder}, this once ...`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const fresh = mkdtempSync(join(home, 'new-'))
  await new Bun.Archive(zstdDecompressSync(bytes)).extract(fresh)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another start was faster.
    if (!existsSync(folder)) throw error
  }
  for (const other of readdirSync(home)) {
    if (other !== name && other !== basename(fresh)) rmSync(join(home, other), { recursive: true, force: true })
  }
  return folder
}

const folder = await unpacked()
if (process.argv.length === 2) process.argv.push('start')
process.env.NODE_ENV ??= 'production'
await import(join(folder, 'cli/main.ts'))
