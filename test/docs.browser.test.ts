import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUser, testApp } from './support/app.ts'
import { executablePath, openBrowser } from './support/browser.ts'
import { listening } from './support/listening.ts'

let url: string
let token: string
let browser: BrowserContext
let close: (() => Promise<void>) | undefined
let stop: (() => Promise<unknown>) | undefined

beforeAll(async () => {
  if (!executablePath) return
  const app = await testApp()
  ;({ url, stop } = listening(app))
  token = (await newUser(app.database)).token
  ;({ browser, close } = await openBrowser())
})

afterAll(async () => {
  await close?.()
  await stop?.()
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

    await operation.getByText('tRPC', { exact: true }).click()
    expect(await operation.textContent()).toContain('await api.assistants.list.query(')

    expect(requested).toContain(`${url}/assistants?page=1&per_page=15&sort_order=asc&lite=false`)
    expect(requested.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  },
  120_000,
)

test.skipIf(!executablePath)(
  'operations are on the first screen, found by their words, and shown dark to who prefers it',
  async () => {
    const page = await browser.newPage()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${url}/docs`)
    const first = page.locator('.opblock').first()
    await first.waitFor()
    expect((await first.boundingBox())?.y).toBeLessThan(800)
    expect(await page.locator('html').getAttribute('class')).toContain('dark-mode')
    const shown = () => page.locator('.group-name').allTextContents()
    // The page draws what is scrolled to.
    expect(await shown()).toEqual(['Voice'])
    await page.getByPlaceholder('Search summaries, paths and names').fill('rotate widget key')
    await page.locator('.opblock').first().waitFor()
    await page.waitForFunction(() => document.querySelectorAll('.opblock').length === 1)
    expect(await page.locator('.opblock').textContent()).toContain('rotate-key')
    expect(await shown()).toEqual(['Voice'])
    await page.getByPlaceholder('Search summaries, paths and names').fill('chat completion')
    await expect.poll(shown, { timeout: 30_000 }).toEqual(['Agents'])
    await page.close()
  },
  120_000,
)
