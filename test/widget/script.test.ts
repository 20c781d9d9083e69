import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const load = (headers: Record<string, string> = {}) => app.send('GET', '/widget.js', { headers })

test('the script is served to any page, without a token', async () => {
  const answer = await load({ origin: 'https://shop.example.com' })
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
})

test('it is one script of its own, which a page with a strict policy runs', async () => {
  const script = await (await load()).text()
  expect(() => new Function(script)).not.toThrow()
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|import\(/)
})

test('it is under 30 kB gzipped, and goes gzipped to those who take it', async () => {
  const answer = await load({ 'accept-encoding': 'br, gzip' })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(bytes.length).toBeLessThan(30_000)
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await (await load()).text())
  expect((await load({ 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull()
})

test.each<Record<string, string>>([{}, { 'accept-encoding': 'gzip' }])(
  'a cache that has it (%j) gets 304',
  async (accepts) => {
    const etag = (await load(accepts)).headers.get('etag') ?? ''
    const again = await load({ ...accepts, 'if-none-match': etag })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  },
)

test('other methods are not', async () => {
  expect((await app.send('HEAD', '/widget.js')).status).toBe(200)
  expect((await app.send('POST', '/widget.js')).status).toBe(405)
})
