import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildServer, serverMain } from '../scripts/prepare/server.ts'
import { layOutDatabase } from './support/database.ts'
import { shortLivedWith } from './support/short-lived.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-main-'))
const running = new Set<Bun.Subprocess>()

beforeAll(async () => {
  layOutDatabase(dataDir)
  await buildServer()
})
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await child.exited
  }
  running.clear()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** The command of the README in an environment that has nothing but these settings. */
function run(settings: Record<string, string>, flags: string[] = []) {
  const env = shortLivedWith({ PORT: '0', DATA_DIR: dataDir, ...settings })
  const child = Bun.spawn([process.execPath, ...flags, serverMain], {
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  return child
}

/** A server that runs, and what it said when it was ready. */
async function start(settings: Record<string, string> = {}, flags: string[] = []) {
  const child = run({ LOG_LEVEL: 'silent', ...settings }, flags)
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  let said = ''
  while (!said.includes('\ncurl ')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`It did not start: ${await new Response(child.stderr).text()}`)
    said += decoder.decode(value, { stream: true })
  }
  const url = /ready at (\S+)/.exec(said)?.[1] ?? ''
  const key = /admin key +(\S+)/.exec(said)?.[1] ?? ''
  return { child, said, url, key, reader }
}

const namesOf = async (url: string, key: string): Promise<string[]> => {
  const answer = await fetch(`${url}/assistants`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = await answer.json()
  return data.map(({ name }: { name: string }) => name)
}

/** Sends the head of a create and half of its body; the rest when it is asked to. */
function slowCreate(url: string, key: string) {
  const { port } = new URL(url)
  const body = JSON.stringify({ name: 'In the last minute' })
  const socket = connect(Number(port), '127.0.0.1')
  const head = [
    'POST /assistants HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return {
    async finish() {
      socket.write(body.slice(10))
      await closed
      return answer
    },
  }
}

test('the ready block works as it is pasted; another start on the folder is refused, and a stop loses nothing', async () => {
  const first = await start()
  const pasted = Bun.spawnSync(['sh', '-c', /^curl .*$/m.exec(first.said)?.[0] ?? 'false'])
  expect(JSON.parse(pasted.stdout.toString())).toMatchObject({
    success: true,
    data: { name: 'Front desk', voice_assistant_id: expect.any(String) },
    message: 'Assistant created successfully',
  })
  for (const path of ['/docs', '/openapi.json', '/health']) {
    expect((await fetch(`${first.url}${path}`)).status, path).toBe(200)
  }

  const second = run({})
  expect([await second.exited, await new Response(second.stderr).text()]).toEqual([
    1,
    `The data folder ${dataDir} is in use by process ${first.child.pid} on ${hostname()}. Stop it, or give this one a DATA_DIR of its own.\n`,
  ])

  const create = slowCreate(first.url, first.key)
  await Bun.sleep(200)
  first.child.kill('SIGTERM')
  await Bun.sleep(200)
  await expect(fetch(`${first.url}/health`)).rejects.toThrow()
  expect(await create.finish()).toMatch(/^HTTP\/1.1 201 /)
  expect(await first.child.exited).toBe(0)

  const again = await start()
  expect(again.key).toBe(first.key)
  expect((await namesOf(again.url, again.key)).sort()).toEqual(['Front desk', 'In the last minute'])
  again.child.kill('SIGTERM')
  expect(await again.child.exited).toBe(0)
})

test('what lies beside the sources is found: pages, guides, threads and the embedder', async () => {
  const { child, url, key } = await start()
  const pages = {
    '/docs': 'swagger-ui',
    '/openapi.json': '"openapi"',
    '/widget.js': 'switchboard-widget',
    '/llms.txt': 'Switchboard',
    '/console': '<',
  }
  for (const [path, part] of Object.entries(pages)) {
    const response = await fetch(`${url}${path}`)
    expect([path, response.status, (await response.text()).includes(part)]).toEqual([path, 200, true])
  }
  const headers = { authorization: `Bearer ${key}` }
  const post = async (path: string, body: object) => {
    const isForm = body instanceof FormData
    const type = isForm ? undefined : { 'content-type': 'application/json' }
    const sent = isForm ? body : JSON.stringify(body)
    const response = await fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, ...type }, body: sent })
    expect([path, response.status]).toEqual([path, expect.toBeOneOf([200, 201])])
    return response.json()
  }
  const { data: agent } = await post('/agents', { name: 'Support' })
  const form = new FormData()
  form.append('file', new File(['# Parking\n\nGuests leave their cars behind the house.'], 'house.md'))
  const { data: file } = await post(`/agents/${agent.id}/files`, form)
  expect(file).toMatchObject({ extracted: true })
  // In other words than the file's: only the embedder finds it, once it has been loaded.
  const search = `${url}/agents/${agent.id}/search?q=${encodeURIComponent('Where can I put my vehicle?')}`
  await expect
    .poll(async () => (await (await fetch(search, { headers })).json()).data, { timeout: 60_000, interval: 500 })
    .toEqual([expect.objectContaining({ original_name: 'house.md' })])
  const completion = { agent: agent.id, messages: [{ role: 'user', content: 'Where do guests leave their cars?' }] }
  const { choices } = await post('/chat/completions', completion)
  expect(choices[0].message.content).toContain('behind the house')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
}, 90_000)

test('a turn that still runs when a stop ends is told so, with its last event', async () => {
  const model = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          start(controller) {
            const choices = [{ index: 0, delta: { role: 'assistant', content: 'On ' }, finish_reason: null }]
            const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'small', choices }
            controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`))
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  })
  const { child, url, key } = await start({ LLM_BASE_URL: `http://127.0.0.1:${model.port}/v1`, LLM_MODELS: 'small' })
  const post = (path: string, body: object, accept = 'application/json') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept }
    return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const { data: agent } = await (await post('/agents', { name: 'Support' })).json()
  const { data: chat } = await (await post(`/agents/${agent.id}/chats`, {})).json()
  const path = `/agents/${agent.id}/chats/${chat.id}/messages`
  const streamed = await post(path, { content: 'When?' }, 'text/event-stream')
  const messages = [{ role: 'user', content: 'When?' }]
  const whole = post('/chat/completions', { agent: agent.id, messages })
  await Bun.sleep(500)
  child.kill('SIGTERM')
  const events = (await streamed.text()).split('\n\n').filter((event) => event !== '')
  expect(events[0]).toContain('"On"')
  expect(events.at(-1)).toMatch(/^event: error\ndata: \{"status":503,/)
  expect((await whole).status).toBe(503)
  expect(await child.exited).toBe(0)
  await model.stop(true)
})

test.each([
  ['PORT', 'many'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['VOICE_PLATFORM_URL', 'ftp://platform'],
])('a wrong %s stops the start with its name, and nothing is made', async (name, value) => {
  const folder = join(dataDir, 'never')
  const child = run({ DATA_DIR: folder, [name]: value })
  expect(await child.exited).toBe(1)
  const said = await new Response(child.stderr).text()
  expect(said).toContain(name)
  expect(said).not.toMatch(/\bat .*:\d+:\d+/)
  expect(await Bun.file(join(folder, 'lock.sqlite')).exists()).toBe(false)
})

test('of many wrong variables every one is named', async () => {
  const numbers = ['PORT', 'DATABASE_POOL_SIZE', 'DRAIN_SECONDS', 'REQUEST_SECONDS', 'VERSION_HISTORY_LIMIT']
  const addresses = ['PUBLIC_URL', 'VOICE_PLATFORM_URL', 'LLM_BASE_URL', 'S3_ENDPOINT', 'REDIS_URL', 'DATABASE_URL']
  const others = ['TIME_ZONE', 'CARRIER', 'LOG_LEVEL', 'TRUSTED_PROXIES', 'WEBHOOK_CREDENTIALS', 'SECRETS_KEY']
  const names = [...numbers, ...addresses, ...others]
  const child = run(Object.fromEntries(names.map((name) => [name, 'many wrong'])))
  expect(await child.exited).toBe(1)
  const said = await new Response(child.stderr).text()
  expect(names.filter((name) => !said.includes(`\n- ${name} `))).toEqual([])
})

test.each([
  ['admin-api-key', 'short', 'must be at least 32 characters'],
  ['admin-api-key', '   ', 'must be printable ASCII without spaces'],
  ['admin-api-key', `a b${'k'.repeat(32)}`, 'must be printable ASCII without spaces'],
  ['secrets-key', 'c2hvcnQ=', 'must be 32 bytes in base64'],
  ['voice-platform-api-key', 'sk a', 'must be printable ASCII without spaces'],
])('%s of the data folder with %j stops the start with the name of the file', async (name, text, why) => {
  const own = mkdtempSync(join(tmpdir(), 'switchboard-main-'))
  layOutDatabase(own)
  writeFileSync(join(own, name), text)
  try {
    const child = run({ DATA_DIR: own })
    const said = await new Response(child.stderr).text()
    expect([await child.exited, said]).toEqual([1, expect.stringContaining(`- ${join(own, name)} ${why}`)])
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
})

const unusable = (folder: string, reason: string) =>
  `The data folder ${folder} cannot be used: ${reason}. Mend that, or set DATA_DIR to another folder.`

test.each<[string, (folder: string) => string]>([
  ['file', (folder) => unusable(folder, 'it is a file')],
  ['file/data', (folder) => unusable(folder, 'what should be a folder above it is a file')],
  [
    'part',
    (folder) =>
      `The folder ${folder}/database is not empty, and what it holds is not a whole database: PG_VERSION is missing. Move it away, then copy the whole folder again or restore a backup. Without either, a start makes an empty database.`,
  ],
])('a data folder that is none (%s) stops the start in words', async (name, said) => {
  const own = mkdtempSync(join(tmpdir(), 'switchboard-main-'))
  writeFileSync(join(own, 'file'), '')
  mkdirSync(join(own, 'part/database/base'), { recursive: true })
  try {
    const folder = join(own, name)
    const child = run({ DATA_DIR: folder })
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([1, `${said(folder)}\n`])
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
})

test('a port in use stops the start with its number, and the server that has it is not shared', async () => {
  const holder = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response('mine') })
  const own = mkdtempSync(join(tmpdir(), 'switchboard-main-'))
  layOutDatabase(own)
  try {
    const child = run({ PORT: String(holder.port), DATA_DIR: own })
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      1,
      `Port ${holder.port} on 127.0.0.1 is in use. Stop what listens there, or set another PORT.\n`,
    ])
  } finally {
    await holder.stop(true)
    rmSync(own, { recursive: true, force: true })
  }
})

test('an open data folder is closed to others with all that is in it, and a given admin key is not printed', async () => {
  const own = mkdtempSync(join(tmpdir(), 'switchboard-main-'))
  chmodSync(own, 0o755)
  const key = `given-${crypto.randomUUID()}`
  try {
    const server = await start({ DATA_DIR: own, ADMIN_API_KEY: key })
    expect(server.said).not.toContain(key)
    expect(server.said).toContain('Authorization: Bearer $ADMIN_API_KEY"')
    const command = /^curl .*$/m.exec(server.said)?.[0] ?? 'false'
    const env = { ...process.env, ADMIN_API_KEY: key }
    expect(Bun.spawnSync(['sh', '-c', command], { env }).stdout.toString()).toContain('"Front desk"')
    server.child.kill('SIGTERM')
    expect(await server.child.exited).toBe(0)
    const modes = readdirSync(own, { recursive: true, encoding: 'utf8' })
      .concat('.')
      .map((name) => statSync(join(own, name)))
      .map((found) => `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`)
    expect([...new Set(modes)].sort()).toEqual(['file 600', 'folder 700'])
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
})

test('a server that is told to stop is not ready at once, and serves on for as long as it was given', async () => {
  const { child, url, key } = await start({ DRAIN_SECONDS: '1' })
  expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  const stopped = performance.now()
  child.kill('SIGTERM')
  await Bun.sleep(100)
  const ready = await fetch(`${url}/health/ready`)
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', reason: 'the server is stopping' }])
  expect(await namesOf(url, key)).toEqual(expect.any(Array))
  expect(await child.exited).toBe(0)
  expect(performance.now() - stopped).toBeGreaterThanOrEqual(1_000)
})

/** Reads what a process says until it says `part`. */
async function untilSaid(child: ReturnType<typeof run>, part: string): Promise<void> {
  const reader = child.stdout.getReader()
  for (let said = ''; !said.includes(part); ) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`It said ${said} only`)
    said += new TextDecoder().decode(value)
  }
  reader.releaseLock()
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s in a first start ends it with 0, and the next one goes on',
  async (signal) => {
    const own = mkdtempSync(join(tmpdir(), 'switchboard-main-'))
    try {
      const first = run({ DATA_DIR: own })
      await untilSaid(first, 'Starting Switchboard')
      first.kill(signal)
      expect([await first.exited, await new Response(first.stderr).text()]).toEqual([0, ''])
      await untilSaid(first, 'Switchboard has stopped.')
      expect(readdirSync(own).filter((name) => name === 'lock.holder' || name === 'before-upgrade')).toEqual([])
      const again = await start({ DATA_DIR: own })
      again.child.kill(signal)
      expect(await again.child.exited).toBe(0)
    } finally {
      rmSync(own, { recursive: true, force: true })
    }
  },
)

test('SIGTERM ends a start that waits for its database', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${taken.port}/none`
  await taken.stop(true)
  const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64')
  const child = run({ DATABASE_URL, SECRETS_KEY, DATABASE_START_SECONDS: '600' })
  await untilSaid(child, 'Starting Switchboard')
  child.kill('SIGTERM')
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ''])
})

test('a server that is told to stop as soon as it listens serves on for as long as it was given', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { url, port } = taken
  await taken.stop(true)
  const child = run({ PORT: String(port), DRAIN_SECONDS: '1', LOG_LEVEL: 'silent' })
  const isUp = () =>
    fetch(new URL('/health', url)).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) await Bun.sleep(2)
  const stopped = performance.now()
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(performance.now() - stopped).toBeGreaterThanOrEqual(1_000)
})

test('a second signal ends the time that a stopping server serves on for, and it stops in order', async () => {
  const { child, url } = await start({ DRAIN_SECONDS: '600', LOG_LEVEL: 'silent' })
  child.kill('SIGTERM')
  const ready = async () => (await fetch(new URL('/health/ready', url))).status
  await expect.poll(ready).toBe(503)
  child.kill('SIGINT')
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ''])
})

test('the log names the place in the sources where an unexpected error came up', async () => {
  const preload = ['--preload', join(import.meta.dirname, 'support/broken-clock.ts')]
  const { child, url, key, reader } = await start({ LOG_LEVEL: 'error' }, preload)
  child.kill('SIGUSR2')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const create = async () => (await fetch(`${url}/agents`, { method: 'POST', headers, body: '{"name":"A"}' })).status
  await expect.poll(create).toBe(500)
  let logged = ''
  while (!logged.includes('internal_error')) logged += new TextDecoder().decode((await reader.read()).value)
  expect(logged).toMatch(/"message":"No moment can be written","at":"src\/[\w./-]+\.ts:\d+"/)
})
