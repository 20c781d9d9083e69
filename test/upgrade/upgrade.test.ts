import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, layOutDatabase, onServer } from '../support/database.ts'
import { type ServerProcess, serverProcesses } from '../support/server-process.ts'
import { layOut, previousVersion } from './previous-version.ts'

const version = previousVersion()
const servers = serverProcesses()
const folder = mkdtempSync(join(tmpdir(), 'switchboard-upgrade-'))
let previous = ''

afterAll(async () => {
  await servers.stop()
  rmSync(folder, { recursive: true, force: true })
})

const send = async ({ ready, headers }: ServerProcess, method: string, path: string, body?: object) => {
  const response = await fetch(`${await ready}${path}`, { method, headers, body: body && JSON.stringify(body) })
  const read = await response.json()
  expect(response.ok, `${method} ${path}: ${JSON.stringify(read)}`).toBe(true)
  return read
}
const create = (server: ServerProcess, name: string) => send(server, 'POST', '/assistants', { name })
const names = async (server: ServerProcess): Promise<string[]> => {
  const { data } = await send(server, 'GET', '/assistants')
  return data.map(({ name }: { name: string }) => name).sort()
}
/** What most of a server's work is: one write of each kind, and a turn. */
const work = async (server: ServerProcess, name: string) => {
  const { data } = await create(server, name)
  await send(server, 'PUT', `/assistants/${data.assistant_id}`, { name, firstMessage: 'Hello.' })
  const { data: agent } = await send(server, 'POST', '/agents', { name, instructions: 'We deliver on Mondays.' })
  const messages = [{ role: 'user', content: 'When do you deliver?' }]
  const reply = await send(server, 'POST', '/chat/completions', { agent: agent.id, messages })
  expect(reply.choices[0].message.content).toContain('Mondays')
}
const stop = async ({ child }: ServerProcess) => {
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
}

describe.skipIf(version === undefined)('with the version before', () => {
  beforeAll(() => {
    previous = layOut(String(version), join(folder, 'previous'))
  })

  test.runIf(onServer())('both serve one PostgreSQL database while instances are replaced', async () => {
    const url = await createTestDatabase()
    const old = servers.start(url, {}, previous)
    await work(old, 'Old')
    const fresh = servers.start(url)
    await work(fresh, 'New')
    await work(old, 'Old on new tables')
    for (const server of [old, fresh]) expect(await names(server)).toEqual(['New', 'Old', 'Old on new tables'])
  })

  test.skipIf(onServer())(
    'an embedded database is upgraded, still serves it, and goes back',
    async () => {
      const DATA_DIR = join(folder, 'data')
      layOutDatabase(DATA_DIR, 'empty')
      const before = servers.start('', { DATA_DIR }, previous)
      await work(before, 'Old')
      await stop(before)
      const fresh = servers.start('', { DATA_DIR })
      await work(fresh, 'New')
      await stop(fresh)
      expect(existsSync(join(DATA_DIR, 'before-upgrade'))).toBe(true)

      const onNewTables = servers.start('', { DATA_DIR }, previous)
      await work(onNewTables, 'Old on new tables')
      expect(await names(onNewTables)).toEqual(['New', 'Old', 'Old on new tables'])
      await stop(onNewTables)

      renameSync(join(DATA_DIR, 'database'), join(DATA_DIR, 'database.new'))
      renameSync(join(DATA_DIR, 'before-upgrade'), join(DATA_DIR, 'database'))
      const back = servers.start('', { DATA_DIR }, previous)
      expect(await names(back)).toEqual(['Old'])
      await work(back, 'Old again')
      // Four starts and four turns, each of a process of its own.
    },
    240_000,
  )
})
