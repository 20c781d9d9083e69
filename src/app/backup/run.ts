import { packArchive, unpackArchive } from '../../backup/archive.ts'
import { dump } from '../../backup/dump.ts'
import type { Manifest } from '../../backup/format.ts'
import { requireKey } from '../../backup/key.ts'
import { archiveName, keepNewest, type Place } from '../../backup/place/place.ts'
import { restore } from '../../backup/restore.ts'
import { verify } from '../../backup/verify.ts'
import type { DatabaseHandle } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { createProgress } from '../../runtime/progress.ts'
import { version } from '../../runtime/version.ts'
import { secretsKeyFile } from '../bootstrap/data-folder.ts'
import { filesFor } from '../bootstrap/files.ts'
import { existingVault } from '../bootstrap/vault.ts'
import type { Env } from '../env.ts'
import { fileColumns } from '../stored-files.ts'

/** Says a line to whoever waits. */
export type Say = (line: string) => void

const progressOf = (say: Say) => createProgress(say, Date.now)

/** Everything of an installation as the entries of an archive; `withFiles` false: its rows alone. */
export const dumpOf = (env: Env, database: DatabaseHandle, now: Date, say: Say, withFiles = true) =>
  dump({
    ...{ database, files: filesFor(env), version, now, progress: progressOf(say) },
    fileColumns: withFiles ? fileColumns : [],
  })

/** Makes an archive of an installation. Returns its name. */
export async function backUp(
  { env, database, place, now }: { env: Env; database: DatabaseHandle; place: Place; now: Date },
  say: Say,
): Promise<string> {
  const name = archiveName(now)
  const bytes = await place.write(name, packArchive(dumpOf(env, database, now, say)))
  say(`${place.label(name)} is whole: ${bytes} bytes.`)
  return name
}

/** Drops archives beyond the newest `keep`, once the newest is known to be good; 0 keeps all. */
export async function dropOld(place: Place, keep: number, say: Say): Promise<void> {
  if (keep > 0) for (const old of await keepNewest(place, keep)) say(`${place.label(old)} was deleted.`)
}

/** Restores an archive into an installation, and brings that up to this version. */
export async function restoreFrom(
  { env, database, entries, replace }: { env: Env; database: DatabaseHandle; entries: Entries; replace: boolean },
  say: Say,
): Promise<Manifest> {
  const keyFile = env.secretsKeys === undefined ? secretsKeyFile(env.dataDir) : undefined
  const checkKey = requireKey(await existingVault(env), keyFile)
  const parts = { database, files: filesFor(env), checkKey, replace, progress: progressOf(say) }
  const manifest = await restore(entries, parts)
  await migrate(database)
  return manifest
}

type Entries = Parameters<typeof restore>[0]

/** The entries of a kept archive. Throws BackupError when there is none. */
export const entriesOf = async (place: Place, name: string): Promise<Entries> => unpackArchive(await place.read(name))

/** Restores a kept archive into a scratch database and compares. */
export const verifyAt = async (place: Place, name: string, say: Say): Promise<Manifest> =>
  verify(await entriesOf(place, name), progressOf(say))

/** One line about what an archive holds. */
export function summary({ tables, files }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0)
  return `${rows} rows of ${Object.keys(tables).length} tables, ${files.count} files of ${files.bytes} bytes`
}
