import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/**
 * Runs after `bun run generate`: removes the snapshot of the tables that the newest one follows. drizzle-kit compares
 * tables with the newest alone, and a server reads none. Two that follow the same one stay, as drizzle-kit refuses
 * them.
 */
const folder = join(import.meta.dirname, '../drizzle/meta')
const Snapshot = z.object({ id: z.string(), prevId: z.string() })

const files = readdirSync(folder).filter((name) => name.endsWith('_snapshot.json'))
const snapshots = files
  .sort()
  .map((name) => ({ name, ...Snapshot.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))) }))
const followed = snapshots.find(({ id }) => id === snapshots.at(-1)?.prevId)
if (followed) rmSync(join(folder, followed.name))
