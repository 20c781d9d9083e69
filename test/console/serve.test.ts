import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildConsole, type ConsoleManifest, consoleFolder, manifestName } from '../../src/app/console/build.ts'
import { version } from '../../src/runtime/version.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'

let app: TestApp
let manifest: ConsoleManifest

beforeAll(async () => {
  await buildConsole()
  manifest = await Bun.file(join(consoleFolder, manifestName)).json()
  app = await testApp()
})

describe('GET /', () => {
  test('leads a browser to the console', async () => {
    const answer = await app.send('GET', '/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
      302,
      'console',
      'Accept',
    ])
  })

  test.each([undefined, 'application/json', '*/*'])(
    'says where everything is to a client that takes %s',
    async (accept) => {
      const answer = await app.send('GET', '/', { headers: accept === undefined ? {} : { accept } })
      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          name: 'Switchboard',
          version,
          links: {
            console: 'console',
            docs: 'docs',
            openapi: 'openapi.json',
            trpc: 'trpc',
            mcp: 'mcp',
            health: 'health',
          },
        },
      ])
    },
  )

  test('takes no other method', async () => {
    const answer = await app.send('POST', '/')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the page', () => {
  test.each([
    ['/console', 'console/assets/'],
    ['/console/', 'assets/'],
    ['/console/assistants', 'assets/'],
    ['/console/assistants/1/history', '../../assets/'],
  ])('%s names its files from %s', async (path, assets) => {
    const answer = await app.send('GET', path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain(`<script type="module" src="${assets}${manifest.script}"></script>`)
  })

  test('runs no script of others and none within it', async () => {
    const answer = await app.send('GET', '/console')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|\son\w+=|https?:\/\/(?!www\.w3\.org)/)
  })
})

describe('the files', () => {
  const asked = (name: string, headers: Record<string, string> = {}) =>
    app.send('GET', `/console/assets/${name}`, { headers })

  test('are kept for ever, gzipped for whoever reads that', async () => {
    const zipped = await asked(manifest.script, { 'accept-encoding': 'gzip, br' })
    const headers = ['content-type', 'content-encoding', 'cache-control', 'vary', 'x-content-type-options']
    expect(headers.map((name) => zipped.headers.get(name))).toEqual([
      'text/javascript; charset=utf-8',
      'gzip',
      'public, max-age=31536000, immutable',
      'Accept-Encoding',
      'nosniff',
    ])
    const plain = await asked(manifest.script)
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(Bun.gunzipSync(await zipped.bytes())).toEqual(await plain.bytes())
    expect((await asked(manifest.script, { 'if-none-match': plain.headers.get('etag') ?? '' })).status).toBe(304)
  })

  test.each(['gzip', 'identity'])(
    'say their length to HEAD in the encoding that the caller takes: %s',
    async (encoding) => {
      const headers = { 'accept-encoding': encoding }
      const got = await asked(manifest.script, headers)
      const head = await app.send('HEAD', `/console/assets/${manifest.script}`, { headers })
      expect(head.headers.get('content-encoding')).toBe(got.headers.get('content-encoding'))
      expect(head.headers.get('content-length')).toBe(String((await got.bytes()).length))
    },
  )

  test.each(['nothing.js', manifestName, '..%2F..%2Fpackage.json', `${'x'.repeat(300)}.js`])(
    '%s is none',
    async (name) => {
      const answer = await asked(name)
      expect([answer.status, await answer.json()]).toEqual([404, { message: 'No such path.' }])
    },
  )

  test('of the first view are less than 400 kB', async () => {
    const fonts = manifest.files.filter(({ compressed }) => !compressed).map(({ name }) => name)
    const first = [manifest.script, manifest.style, ...manifest.preload].map((name) => `${name}.gz`)
    const sizes = [...first, ...fonts].map((name) => Bun.file(join(consoleFolder, name)).size)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(100_000)
    expect(total).toBeLessThan(400_000)
  })

  test('are built once for the same sources', async () => {
    expect(await buildConsole()).toBe(false)
  })
})

test('GET /user/access says what a token may do', async () => {
  const owner = await newUser(app.database)
  const viewer = await newUser(app.database, {
    workspaceId: owner.workspaceId,
    workspaceRole: 'viewer',
    features: ['assistants'],
  })
  const answer = await app.send('GET', '/user/access', { token: viewer.token })
  expect(await answer.json()).toMatchObject({
    success: true,
    data: {
      user: { id: viewer.userId },
      workspace: { id: owner.workspaceId, name: 'Test workspace', billing: 'none' },
      role: 'user',
      workspace_role: 'viewer',
      can_write: false,
      features: ['assistants'],
      scopes: null,
      email_verified: true,
      assistant_quota: null,
    },
  })
  expect((await app.send('GET', '/user/access')).status).toBe(401)
})
