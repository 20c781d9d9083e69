import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const linksIn = (text: string) => [...text.matchAll(/^- \[.*?\]\((\S+)\)/gm)].map(([, link = '']) => link)

test('llms.txt lists every guide and every operation, and each is there as Markdown', async () => {
  const response = await app.send('GET', '/llms.txt')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = await response.text()
  expect(text).toMatch(/^# Switchboard\n\n> /)
  const links = linksIn(text)
  const guides = readdirSync(join(import.meta.dirname, '../../docs'))
    .filter((name) => name.endsWith('.md') && name !== 'architecture.md')
    .sort()
  expect(links.filter((link) => link.includes('/guides/'))).toEqual(guides.map((name) => `docs/guides/${name}`))
  const { paths } = await (await app.send('GET', '/openapi.json')).json()
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => `docs/operations/${operationId}.md`),
  )
  expect(links.filter((link) => link.includes('/operations/')).sort()).toEqual(ids.sort())
  for (const link of links) {
    const page = await app.send('GET', `/${link}`)
    expect([page.status, page.headers.get('content-type')], link).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(await page.text(), link).toMatch(/^# \S/)
  }
})

test('the page of an operation says what it takes and what it responds', async () => {
  const text = await (await app.send('GET', '/docs/operations/assistants-create.md')).text()
  expect(text).toContain('`POST /assistants`, over typed RPC `assistants.create`')
  expect(text).toContain('\n## Body\n\n```json\n{')
  expect(text).toMatch(/\n- 201: Created\.\n\n```json\n/)
  expect(text).toContain('\n- 422')
})

test.each([
  '/docs/guides/start',
  '/docs/guides/architecture.md',
  '/docs/guides/..%2f..%2fpackage.json',
  '/docs/operations/nothing.md',
])('%s is not there', async (path) => {
  const response = await app.send('GET', path)
  expect([response.status, await response.json()]).toEqual([404, { message: 'No such path.' }])
})

test.each([
  '/docs',
  '/docs/swagger-ui-bundle.js',
  '/docs/start.js',
  '/docs/page.css',
  '/llms.txt',
  '/docs/guides/rest.md',
])('%s is sent compressed to who takes it so', async (path) => {
  const response = await app.send('GET', path, { headers: { 'accept-encoding': 'gzip' } })
  expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding'])
  const plain = await app.send('GET', path)
  expect(plain.headers.get('content-encoding')).toBeNull()
  const unpacked = Bun.gunzipSync(new Uint8Array(await response.arrayBuffer()))
  expect(new TextDecoder().decode(unpacked)).toBe(await plain.text())
})
