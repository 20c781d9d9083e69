import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../db/client.ts'
import type { Progress } from '../runtime/progress.ts'
import { sumsOf } from './dump.ts'
import type { Entry, Manifest } from './format.ts'
import { compare, restore } from './restore.ts'

/** Files are read and counted only. */
const nowhere = { put: async () => {}, stream: async () => undefined, delete: async () => {} }

/**
 * Restores an archive into a scratch database, an embedded one in a folder of its own, and compares what is there with
 * the manifest: counts and hashes of rows and files. Throws BackupError when it is not whole.
 */
export async function verify(entries: AsyncIterable<Entry>, progress: Progress): Promise<Manifest> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-verify-'))
  try {
    const scratch = await openDatabase({ dataDir: folder })
    try {
      const manifest = await restore(entries, { database: scratch, files: nowhere, progress })
      compare(manifest, new Map(Object.entries(await sumsOf(scratch))), manifest.files)
      return manifest
    } finally {
      await scratch.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
