import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataFolderInUseError, lockFolder } from '../../src/db/lock.ts'

const LOCK_MODULE = join(import.meta.dirname, '../../src/db/lock.ts')

let folder: string
type Child = Bun.Subprocess<'ignore', 'pipe', 'inherit'>
const children: Child[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-lock-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
  rmSync(folder, { recursive: true, force: true })
})

/** A process that takes the folder, says `held` or why not, and stays. */
function start(): Child {
  const script = `
    import { lockFolder } from ${JSON.stringify(LOCK_MODULE)}
    try { lockFolder(${JSON.stringify(folder)}); console.log('held') } catch (error) { console.log(error.message) }
    Bun.gc(true)
    setInterval(() => Bun.gc(true), 50)`
  const child = Bun.spawn([process.execPath, '-e', script], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  children.push(child)
  return child
}

async function said(child: Child): Promise<string> {
  const { value } = await child.stdout.getReader().read()
  return new TextDecoder().decode(value).trim()
}

test('a folder in use names the process that holds it', async () => {
  const holder = start()
  expect(await said(holder)).toBe('held')
  await Bun.sleep(150)
  expect(() => lockFolder(folder)).toThrow(DataFolderInUseError)
  expect(() => lockFolder(folder)).toThrow(
    `The data folder ${folder} is in use by process ${holder.pid} on ${hostname()}.`,
  )
})

test('a killed holder leaves no lock behind', async () => {
  for (let round = 0; round < 3; round++) {
    const holder = start()
    expect(await said(holder)).toBe('held')
    holder.kill('SIGKILL')
    await holder.exited
    lockFolder(folder).release()
  }
})

test('of several that start at once exactly one gets it', async () => {
  const answers = await Promise.all([start(), start(), start(), start()].map(said))
  expect(answers.filter((answer) => answer === 'held')).toHaveLength(1)
  expect(answers.filter((answer) => answer.includes('is in use by'))).toHaveLength(3)
})

test('this process cannot take it twice; a released one is free, whatever is released again', () => {
  const first = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`process ${process.pid} on`)
  first.release()
  const second = lockFolder(folder)
  first.release()
  expect(() => lockFolder(folder)).toThrow(DataFolderInUseError)
  second.release()
})

test('a missing folder is made, for its owner only', async () => {
  const missing = join(folder, 'a', 'b')
  lockFolder(missing).release()
  const { mode } = await Bun.file(missing).stat()
  expect(mode & 0o777).toBe(0o700)
})
