import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { newUser, testApp } from './support/app.ts'

const places = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)
const executablePath = places.find((path) => existsSync(path))

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let url: string
let token: string
let profile: string
let browser: BrowserContext
let stop: () => Promise<unknown>

beforeAll(async () => {
  if (!executablePath) return
  const { services, database } = await testApp()
  const settings = { ...services.settings }
  const { server } = createApp({ ...services, settings }).listen({ hostname: '127.0.0.1', port: 0 })
  if (!server) throw new Error('The server did not start')
  url = `http://127.0.0.1:${server.port}`
  settings.publicUrl = url
  stop = () => server.stop(true)
  token = (await newUser(database)).token
  profile = await mkdtemp(join(tmpdir(), 'docs-browser-'))
  browser = await chromium.launchPersistentContext(profile, { executablePath, args, headless: true })
})

afterAll(async () => {
  if (!executablePath) return
  await browser?.close()
  await stop?.()
  await rm(profile, { recursive: true, force: true })
})

test.skipIf(!executablePath)(
  'an operation is tried out on the page, which asks no other server',
  async () => {
    const page = await browser.newPage()
    const requested: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))

    await page.goto(`${url}/docs`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('textbox', { name: /auth-bearer-value|Value/i }).fill(token)
    await page.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close' }).first().click()

    const operation = page.locator('#operations-Assistants-assistants-list')
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table .response')
    await answer.waitFor()
    expect(await answer.locator('.response-col_status').textContent()).toContain('200')
    expect(await answer.textContent()).toContain('"pagination"')
    expect(page.url()).toBe(`${url}/docs#/Assistants/assistants-list`)

    expect(requested).toContain(`${url}/assistants?page=1&per_page=15&sort_order=asc&lite=false`)
    expect(requested.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
  },
  60_000,
)
