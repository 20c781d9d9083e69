import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { layOutDatabase, onServer } from '../support/database.ts'
import type { KilledServer } from '../support/killed-server.ts'
import { shortLived } from '../support/short-lived.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const token = 'admin-key-of-the-kill-test-012345678'
const types = ['status-update', 'status-update', 'end-of-call-report']

let dataDir: string
let receiver: Receiver
const children = new Set<Bun.Subprocess>()

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'switchboard-webhooks-'))
  receiver = startReceiver()
})
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    await child.exited
  }
  children.clear()
  await receiver.stop()
  rmSync(dataDir, { recursive: true })
})

type Kill = Omit<NonNullable<KilledServer['kill']>, 'since'>

const queued = 'insert into "webhook_deliveries"'

async function start(kill?: Kill) {
  const env = {
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_API_KEY: token,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  }
  const script = join(import.meta.dirname, '../support/killed-server.ts')
  const server: KilledServer = { env, ...(kill && { kill: { ...kill, since: queued } }) }
  const child = Bun.spawn([process.execPath, script, JSON.stringify(server)], {
    env: shortLived,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.add(child)
  const { value } = await child.stdout.getReader().read()
  const url = new TextDecoder().decode(value).trim()
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { child, post }
}

// On a server of its own, what a killed process held is sent again only when its time has run out.
test.skipIf(onServer()).each<[string, Kill, unknown[] | undefined, unknown[]]>([
  ['before anything is sent loses nothing', { statement: 'update "webhook_deliveries"', times: 1 }, [], types],
  [
    'before the answer of a receiver is recorded sends that one again, and the rest',
    { statement: 'update "webhook_deliveries" set "status"', times: 1 },
    ['status-update'],
    ['status-update', ...types],
  ],
  [
    'while the call is going on tells how it ended',
    { statement: 'insert into "webhook_deliveries"', times: 2 },
    // The first message may be on its way already: then it has arrived, and is sent again unless that was recorded.
    undefined,
    types,
  ],
])(
  'a server that is killed %s',
  async (_, kill, before, after) => {
    layOutDatabase(dataDir)
    const first = await start(kill)
    const made = await first.post('/assistants', {
      name: 'Front desk',
      firstMessage: 'Hello.',
      serverMessages: ['status-update', 'end-of-call-report'],
      metadata: { webhook_url: receiver.url },
    })
    const { data } = await made.json()
    await first.post(`/assistants/${data.assistant_id}/test-calls`, { messages: ['Hi'] }).catch(() => {})
    await first.child.exited
    if (before) expect(receiver.types()).toEqual(before)

    await start()
    const arrived = () => (before ? receiver.types() : receiver.types().slice(-after.length))
    await expect.poll(arrived, { timeout: 60_000 }).toEqual(after)
    expect(receiver.types().length).toBeLessThanOrEqual(types.length + 1)
    const report = receiver.received.at(-1)?.message
    expect(['customer-ended-call', 'call.in-progress.error-vapifault-worker-died']).toContain(report?.endedReason)
  },
  60_000,
)
