import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adminKeyIn, platformKeysIn, secretsKeyIn } from '../../src/app/bootstrap/data-folder.ts'
import { shortLived } from '../support/short-lived.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-data-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const key = (index: number) => `vk_${String(index).padStart(40, '0')}`
const file = 'admin-api-key'

test('of many that make a key at once the first one counts, and all read the same', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, (_, index) => adminKeyIn(folder, () => key(index))))
  expect(new Set(made).size).toBe(1)
  expect(readFileSync(join(folder, file), 'utf8')).toBe(`${made[0]}\n`)
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual([file])
})

test('a key that could not be written leaves no file, and the next start makes it', async () => {
  const module = join(import.meta.dirname, '../../src/app/bootstrap/data-folder.ts')
  const make = `await (await import(${JSON.stringify(module)})).adminKeyIn(${JSON.stringify(folder)}, () => '${key(1)}')`
  const limited = ['sh', '-c', 'ulimit -f 0; exec "$0" -e "$1"', process.execPath, make]
  const { success } = Bun.spawnSync(limited, { env: shortLived, stderr: 'ignore' })
  expect([success, readdirSync(folder).includes(file)]).toEqual([false, false])
  expect(await adminKeyIn(folder, () => key(2))).toBe(key(2))
})

test.each([
  [file, () => adminKeyIn(folder, () => key(1))],
  ['voice-platform-api-key', () => platformKeysIn(folder)],
])('%s is made anew where it is empty', async (name, read) => {
  writeFileSync(join(folder, name), '')
  await read()
  expect(readFileSync(join(folder, name), 'utf8').trim()).not.toBe('')
  const [first, again] = [await read(), await read()]
  expect(again).toEqual(first)
})

test('an empty key that secrets may be sealed with is asked for, and left as it is', async () => {
  const place = join(folder, 'secrets-key')
  writeFileSync(place, '')
  await expect(secretsKeyIn(folder)).rejects.toThrow(
    `- ${place} is empty: put the key back from where it is kept. Where this installation has stored no secret yet, delete the file, and the next start makes one`,
  )
  expect(readdirSync(folder)).toEqual(['secrets-key'])
  expect(statSync(place).size).toBe(0)
})

test('what a killed process left beside is removed, and what another one writes now is not', async () => {
  const left = join(folder, `${file}.left.unfinished`)
  for (const name of [left, join(folder, `${file}.now.unfinished`)]) writeFileSync(name, 'half')
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(left, hourAgo, hourAgo)
  await adminKeyIn(folder, () => key(1))
  expect(readdirSync(folder).sort()).toEqual([file, `${file}.now.unfinished`])
})
