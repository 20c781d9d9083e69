import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { createTestDatabase, layOutDatabase, onServer } from '../support/database.ts'
import { serverProcesses } from '../support/server-process.ts'
import { shortLivedWith } from '../support/short-lived.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-backup-command-'))
const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64')
const servers = serverProcesses()
afterAll(async () => {
  await servers.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** An installation of its own, without a table yet. */
const installation = async (name: string): Promise<Record<string, string>> => ({
  DATA_DIR: join(folder, name),
  ...(onServer() && { DATABASE_URL: await createTestDatabase() }),
})

async function command(args: string[], env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, '../../cli/main.ts'), ...args], {
    env: shortLivedWith({ SECRETS_KEY, ...env }),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

let settings: Record<string, string>
let url: string
let headers: Record<string, string>

beforeAll(async () => {
  settings = await installation('source')
  if (!onServer()) layOutDatabase(String(settings.DATA_DIR))
  const server = servers.start('', settings)
  headers = server.headers
  url = await server.ready
})

const create = async (name: string) => {
  const response = await fetch(`${url}/assistants`, { method: 'POST', headers, body: JSON.stringify({ name }) })
  expect(response.status).toBe(201)
}

test('a running server is backed up while it is written to, and restored elsewhere with its key alone', async () => {
  await create('Before')
  let stop = false
  const writing = (async () => {
    for (let made = 0; !stop; made++) await create(`During ${made}`)
  })()
  const archives = join(folder, 'archives')
  const made = await command(['backup', '--to', archives], settings)
  stop = true
  await writing
  expect(made, made.err).toMatchObject({ code: 0 })
  const archive = made.out.trim()
  expect(readdirSync(archives).map((name) => join(archives, name))).toEqual([archive])
  if (!onServer()) expect(readdirSync(join(String(settings.DATA_DIR), 'copies'))).toEqual([])

  const target = await installation('target')
  if (!onServer()) layOutDatabase(String(target.DATA_DIR), 'empty')
  const restored = await command(['restore', archive], target)
  expect(restored, restored.err).toMatchObject({ code: 0, out: expect.stringMatching(/^Restored: \d+ rows of /) })
  const database = await openDatabase({ dataDir: target.DATA_DIR, url: target.DATABASE_URL })
  const names = await database.sql<{ name: string }[]>`select name from assistants order by id`
  const [{ next } = { next: 0 }] = await database.sql<{ next: number }[]>`select nextval('assistants_id_seq') as next`
  await database.close()
  expect(names.map(({ name }) => name)).toEqual(['Before', ...names.slice(1).map((_, index) => `During ${index}`)])
  expect(next).toBeGreaterThan(names.length)
})

test.runIf(onServer())('a server of such settings backs itself up when it is time', async () => {
  const env = await installation('scheduled')
  const to = join(folder, 'scheduled-archives')
  const server = servers.start('', { ...env, BACKUP_TO: to, BACKUP_HOURS: '6' })
  await server.ready
  const database = await openDatabase({ url: env.DATABASE_URL })
  await database.sql`update backups set due_at = now() - interval '1 second'`
  const made = () => database.sql<{ archive: string | null }[]>`select archive from backups`
  await expect.poll(async () => (await made())[0]?.archive).toMatch(/^.*switchboard-\d{8}T\d{6}Z\.tar\.gz$/)
  expect((await made()).map(({ archive }) => archive)).toEqual(readdirSync(to).map((name) => join(to, name)))
  await database.close()
})

test('older archives are deleted once the new one was verified, and not before', async () => {
  const archives = join(folder, 'kept-archives')
  const older = 'switchboard-20200101T000000Z.tar.gz'
  mkdirSync(archives)
  writeFileSync(join(archives, older), '')
  const args = ['backup', '--to', archives, '--keep', '1', '--verify']
  const failed = await command(args, { ...settings, TMPDIR: join(folder, 'missing') })
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('ENOENT')])
  expect(readdirSync(archives).sort()).toEqual([older, expect.any(String)])
  const made = await command(args, settings)
  expect(made, made.err).toMatchObject({ code: 0 })
  expect(readdirSync(archives).map((name) => join(archives, name))).toEqual([made.out.trim()])
})

const withoutTables = (name: string) => async () => {
  const env = await installation(name)
  if (!onServer()) layOutDatabase(String(env.DATA_DIR), 'empty')
  return env
}

test.each<[string, () => Promise<Record<string, string>>]>([
  ['no database', () => installation('missing')],
  ['a database that is none of ours', withoutTables('foreign')],
])('with %s nothing is read, made or deleted', async (_what, make) => {
  const env = await make()
  const there = existsSync(String(env.DATA_DIR))
  const archives = `${env.DATA_DIR}-archives`
  const to = `${env.DATA_DIR}-moved`
  mkdirSync(archives)
  writeFileSync(join(archives, 'switchboard-20200101T000000Z.tar.gz'), '')
  const where = onServer() ? 'the database that DATABASE_URL names' : `DATA_DIR, which is ${env.DATA_DIR}`
  const commands = [['backup', '--to', archives, '--keep', '1'], ['move', '--to', to, '--replace'], ['rotate-secrets']]
  for (const args of commands) {
    const { code, err } = await command(args, env)
    expect([code, err]).toEqual([1, `There is no installation of Switchboard in ${where}: nothing was done.\n`])
  }
  const { code, out } = await command(['migrate', '--check'], env)
  expect([code, out]).toEqual([1, 'Migrations are pending.\n'])
  expect([existsSync(String(env.DATA_DIR)), existsSync(to)]).toEqual([there, false])
  expect(readdirSync(archives)).toEqual(['switchboard-20200101T000000Z.tar.gz'])
})

/** A PostgreSQL server that lets nobody in. */
function refusing() {
  const fields = ['SFATAL', 'VFATAL', 'C28P01', 'Mpassword authentication failed for user "me"', ''].join('\0')
  const refusal = Buffer.alloc(5 + fields.length + 1)
  refusal.write('E')
  refusal.writeInt32BE(fields.length + 5, 1)
  refusal.write(fields, 5)
  return Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: (socket) => void socket.end(refusal) } })
}

test('a move whose target lets nobody in or is no folder names --to, and one whose source does names DATABASE_URL', async () => {
  const env = await installation('moved')
  if (onServer()) expect(await command(['migrate'], env)).toMatchObject({ code: 0 })
  else layOutDatabase(String(env.DATA_DIR))
  using server = refusing()
  const closed = `postgres://me:hush@127.0.0.1:${server.port}/elsewhere`
  const refused = 'password authentication failed for user "me"\n'
  const move = async (to: string, settings: Record<string, string>) => {
    const { code, err } = await command(['move', '--to', to], settings)
    return [code, err]
  }
  expect(await move(closed, env)).toEqual([1, `--to: ${refused}`])
  expect(await move(join(folder, 'new'), { ...env, DATABASE_URL: closed })).toEqual([1, `DATABASE_URL: ${refused}`])
  writeFileSync(join(folder, 'file'), '')
  const place = `The data folder ${join(folder, 'file')} cannot be used: it is a file. Mend that, or`
  expect(await move(join(folder, 'file'), env)).toEqual([1, `${place} name another folder with --to.\n`])
  const misspelt = await move('postgres://me:hush@127.0.0.1:port/elsewhere', env)
  expect(misspelt).toEqual([1, '--to must be a postgres:// or postgresql:// URL\n'])
})

test('a restore that is refused leaves a data folder as missing or as empty as it was', async () => {
  const archive = join(folder, 'switchboard-20260101T000000Z.tar.gz')
  writeFileSync(archive, Bun.gzipSync('no archive'))
  const missing = await installation('above/missing')
  const empty = await installation('empty')
  mkdirSync(String(empty.DATA_DIR))
  for (const env of [missing, empty]) expect(await command(['restore', archive], env)).toMatchObject({ code: 1 })
  expect(existsSync(join(folder, 'above'))).toBe(false)
  expect(readdirSync(String(empty.DATA_DIR))).toEqual([])
})

test.runIf(onServer())('a move that its source refuses leaves no folder behind', async () => {
  const to = join(folder, 'refused')
  const { code, err } = await command(['move', '--to', to], settings)
  expect([code, err]).toEqual([1, expect.stringContaining('Stop these servers first')])
  expect(existsSync(to)).toBe(false)
})

test.each([
  [['restore'], 'Usage: switchboard restore'],
  [['restore', '/nowhere/switchboard-20260101T000000Z.tar.gz'], 'There is no archive /nowhere/switchboard-2026'],
  [['backup', '--keep', '-1'], 'keep'],
  [['backup', '--to', 's3://archives'], 'A place in an object store needs S3_ENDPOINT and its keys.'],
])('%j is refused in words', async (args, said) => {
  const { code, err } = await command(args, { DATA_DIR: join(folder, 'none') })
  expect([code, err]).toEqual([1, expect.stringContaining(said)])
  expect(err).not.toMatch(/^\s+at /m)
})
