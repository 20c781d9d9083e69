import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { picture, png } from '../profile/pictures.ts'
import { layOutDatabase, onServer } from '../support/database.ts'
import type { KilledServer } from '../support/killed-server.ts'
import { shortLived } from '../support/short-lived.ts'

const token = 'admin-key-of-the-upload-test-0123456'

let dataDir: string
const children = new Set<Bun.Subprocess>()
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchboard-killed-upload-'))
})
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    await child.exited
  }
  children.clear()
  await rm(dataDir, { recursive: true })
})

async function start(kill?: KilledServer['kill']) {
  const env = { PORT: '0', DATA_DIR: dataDir, ADMIN_API_KEY: token, LOG_LEVEL: 'fatal' }
  const script = join(import.meta.dirname, '../support/killed-server.ts')
  const child = Bun.spawn([process.execPath, script, JSON.stringify({ env, kill } satisfies KilledServer)], {
    env: shortLived,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.add(child)
  const { value } = await child.stdout.getReader().read()
  const url = new TextDecoder().decode(value).trim()
  const send = (method: string, path: string, body?: FormData | string, more: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...more,
      },
      body,
    })
  return { child, send }
}

const formOf = (fields: Record<string, string | File>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

async function stored(): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { withFileTypes: true, recursive: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

// On a server of its own the note of a killed process is taken over once its lease has run out: see the test beside.
test.skipIf(onServer()).each([
  {
    what: 'file',
    statement: 'insert into "knowledge_files"',
    upload: (agent: string) =>
      ['POST', `/agents/${agent}/files`, formOf({ file: new File(['Text.'], 'a.pdf') })] as const,
  },
  {
    what: 'picture',
    statement: 'update "users" set',
    upload: () => ['POST', '/user', formOf({ name: 'Ada', profile_picture: picture(png) })] as const,
  },
])(
  'a server that is killed between storing a $what and recording it leaves no object behind',
  async (one) => {
    layOutDatabase(dataDir)
    const first = await start({ statement: one.statement, times: 1, since: 'insert into "stored_deletions"' })
    const made = await first.send('POST', '/agents', JSON.stringify({ name: 'Desk' }))
    const { data } = await made.json()
    const [method, path, form] = one.upload(data.id)
    const answer = await first.send(method, path, form).catch(() => undefined)
    expect(await answer?.text()).toBeUndefined()
    await first.child.exited
    expect(await stored()).toHaveLength(1)

    await start()
    await expect.poll(stored, { timeout: 60_000 }).toEqual([])
  },
  90_000,
)

test.skipIf(onServer())(
  'an upload whose server was killed before it responded is not made again under its Idempotency-Key',
  async () => {
    layOutDatabase(dataDir)
    const first = await start({
      statement: 'update "idempotency_keys"',
      times: 1,
      since: 'insert into "knowledge_files"',
    })
    const { data } = await (await first.send('POST', '/agents', JSON.stringify({ name: 'Desk' }))).json()
    const path = `/agents/${data.id}/files`
    const upload = ({ send }: typeof first) =>
      send('POST', path, formOf({ file: new File(['Text.'], 'a.pdf') }), { 'idempotency-key': 'once' })
    const answer = await upload(first).catch(() => undefined)
    expect(await answer?.text()).toBeUndefined()
    await first.child.exited
    expect(await stored()).toHaveLength(1)

    const second = await start()
    const again = await upload(second)
    expect(again.status).toBe(201)
    const file = (await again.json()).data
    const listed = await (await second.send('GET', path)).json()
    expect(listed.data.map(({ id }: { id: number }) => id)).toEqual([file.id])
    expect(await (await second.send('GET', `${path}/${file.id}/content`)).text()).toBe('Text.')
    expect(await stored()).toHaveLength(1)
  },
  90_000,
)
