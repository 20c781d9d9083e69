import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { instance } from '../../src/runtime/instance.ts'
import { createLog } from '../../src/runtime/log.ts'
import { version } from '../../src/runtime/version.ts'
import { newDatabase } from '../support/database.ts'

test('a start and a stop are told with version and settings, without a secret, and every line says the instance', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-start-lines-'))
  const secrets = {
    ADMIN_API_KEY: `vk_${'secret-of-the-admin'.repeat(3)}`,
    SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
    TWILIO_AUTH_TOKEN: 'secret-of-the-carrier',
    LLM_API_KEY: 'secret-of-the-model',
  }
  const env = readEnv({
    ...secrets,
    ...{ PORT: '0', DATA_DIR: folder, LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODELS: 'small', DRAIN_SECONDS: '7' },
    ...{ CARRIER: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', DRIFT_SWEEP_MINUTES: '0' },
  })
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const server = await startServer(env, { database: await newDatabase(), log })
  await server.stop()
  rmSync(folder, { recursive: true })
  const told = lines.map((line) => JSON.parse(line))
  expect(told.find(({ event }) => event === 'server_started')).toMatchObject({
    ...{ version, url: server.url },
    settings: { database: 'embedded', languageModel: '127.0.0.1:9', carrier: 'twilio', drainMs: 7_000, redis: false },
  })
  expect(told.map(({ event }) => event)).toEqual(expect.arrayContaining(['server_stopping', 'server_stopped']))
  expect(new Set(told.map((line) => line.instance))).toEqual(new Set([instance]))
  for (const secret of Object.values(secrets)) expect(lines.join('')).not.toContain(secret)
})

/** What a start tells of with such settings, once all events are there. */
async function eventsOf(settings: Record<string, string>, events: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-start-lines-'))
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const env = readEnv({ PORT: '0', DATA_DIR: folder, DRIFT_SWEEP_MINUTES: '0', ...settings })
  const server = await startServer(env, { database: await newDatabase(), log })
  const told = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => events.includes(event))
  await expect.poll(() => told().length).toBeGreaterThanOrEqual(events.length)
  await server.stop()
  rmSync(folder, { recursive: true })
  return told()
}

test('a place that takes no backups is told of at the start', async () => {
  const event = 'backup_place_refused'
  const [told] = await eventsOf({ BACKUP_TO: '/proc/nope', BACKUP_HOURS: '6' }, [event])
  expect(told).toMatchObject({ setting: 'BACKUP_TO', err: { message: expect.stringContaining('/proc/nope') } })
})

test.each([
  [
    'redis://:wr%20ong@',
    '*2\r\n$4\r\nAUTH\r\n$6\r\nwr ong\r\n',
    'WRONGPASS invalid username-password pair or user is disabled.',
  ],
  ['redis://', '*1\r\n$4\r\nPING\r\n', 'NOAUTH Authentication required.'],
])('what Redis says of the address %s is told at the start', async (user, command, reason) => {
  const data = (socket: Bun.Socket, sent: Buffer) => {
    if (sent.toString().startsWith(command)) socket.write(`-${reason}\r\n`)
    else socket.end()
  }
  using redis = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data } })
  const [told] = await eventsOf({ REDIS_URL: `${user}127.0.0.1:${redis.port}` }, ['redis_refused'])
  expect(told).toMatchObject({ setting: 'REDIS_URL', reason })
})
