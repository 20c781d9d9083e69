import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layOutDatabase } from '../support/database.ts'
import { shortLivedWith } from '../support/short-lived.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const scratch = mkdtempSync(join(tmpdir(), 'switchboard-refused-'))
const unusable = (folder: string, reason: string) =>
  `The data folder ${folder} cannot be used: ${reason}. Mend that, or set DATA_DIR to another folder.`

beforeAll(() => {
  writeFileSync(join(scratch, 'file'), '')
  mkdirSync(join(scratch, 'part/database/base'), { recursive: true })
  mkdirSync(join(scratch, 'full'))
  // What is written there finds no room.
  symlinkSync('/dev/full', join(scratch, 'full/lock.holder'))
  layOutDatabase(join(scratch, 'damaged'))
  rmSync(join(scratch, 'damaged/database/global/pg_control'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test.each<[string, (folder: string) => string]>([
  ['file', (folder) => unusable(folder, 'it is a file')],
  ['file/data', (folder) => unusable(folder, 'what should be a folder above it is a file')],
  ['full', (folder) => unusable(folder, 'its disk is full')],
  [
    'part',
    (folder) =>
      `The folder ${folder}/database is not empty, and what it holds is not a whole database: PG_VERSION is missing. Move it away, then copy the whole folder again or restore a backup. Without either, a start makes an empty database.`,
  ],
  [
    'damaged',
    (folder) =>
      `The database in ${folder}/database does not open: files of it are missing or damaged, belong to another user, or its disk is full. Make room, and give the files to the user of this process; where that is not it, move the folder away, and restore a backup or put the copy "before-upgrade" beside it, which is older, in its place.`,
  ],
])('a data folder that cannot be used (%s) stops the start in words', async (name, said) => {
  const folder = join(scratch, name)
  const child = Bun.spawn([process.execPath, main], {
    env: shortLivedWith({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' }),
    ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  })
  const err = await new Response(child.stderr).text()
  expect([await child.exited, err]).toEqual([1, `${said(folder)}\n`])
})
