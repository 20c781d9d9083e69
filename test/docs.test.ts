import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from './support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const files: [path: string, type: string, holds: string][] = [
  ['/docs', 'text/html; charset=utf-8', '<title>Switchboard API</title>'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
  ['/docs/page.css', 'text/css; charset=utf-8', 'dark-mode'],
  ['/docs/start.js', 'text/javascript; charset=utf-8', 'persistAuthorization: true'],
  ['/docs/favicon-32x32.png', 'image/png', 'PNG'],
  ['/openapi.json', 'application/json; charset=utf-8', '"openapi": "3.1.0"'],
]

describe.each(files)('%s', (path, type, holds) => {
  test('is served without a token', async () => {
    const answer = await app.send('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toContain(holds)
  })

  test('is sent once to a cache that keeps it', async () => {
    const etag = (await app.send('GET', path)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\w+"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await app.send('GET', path, { headers: { 'if-none-match': known } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await app.send('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('answers HEAD', async () => {
    const answer = await app.send('HEAD', path)
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(answer.headers.get('content-type')).toBe(type)
  })
})

test('the page may run its own scripts only, and talk to this server only', async () => {
  const answer = await app.send('GET', '/docs')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self' http://localhost;")
  expect(policy).toContain("frame-ancestors 'none'")
  const html = await answer.text()
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
  expect(html).not.toMatch(/<script(?![^>]*src=)/)
})

test('the page with a slash at its end leads to the page', async () => {
  const answer = await app.send('GET', '/docs/')
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '../docs'])
})

test.each([
  '/docs/swagger-ui-bundle.js.map',
  '/docs/index.html',
  '/docs/package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e/package.json',
  '/docs/swagger-ui.css/..%2f..%2f..%2fpackage.json',
])('%s is not served', async (path) => {
  const answer = await app.send('GET', path)
  expect([answer.status, await answer.json()]).toEqual([404, { message: 'No such path.' }])
})

test('the served description names the public URL', async () => {
  const document = await (await app.send('GET', '/openapi.json')).json()
  expect(document.servers).toEqual([{ url: 'http://localhost' }])
})
