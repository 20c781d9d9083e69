import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { buildConsole } from '../../src/app/console/build.ts'
import { type TestApp, type TestUser, testApp } from '../support/app.ts'
import { executablePath, openBrowser } from '../support/browser.ts'
import { freshDatabase } from '../support/database.ts'
import { listening } from '../support/listening.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Visit {
  page: Page
  /** What the browser complained about, and requests to other hosts; stays empty. */
  complaints: string[]
}

/** A running server with the console on a database of its own, and a browser, for all tests of a file. */
export function consoleRig() {
  let app: TestApp
  let url: string
  let browser: BrowserContext
  const cleanups: (() => unknown)[] = []

  beforeAll(async () => {
    if (!executablePath) return
    await buildConsole()
    const database = await freshDatabase()
    cleanups.push(() => database.close())
    app = await testApp({ database })
    const running = listening(app)
    url = running.url
    cleanups.push(running.stop)
    const launched = await openBrowser()
    browser = launched.browser
    // Before the test's own, so that what was waited for is told.
    browser.setDefaultTimeout(45_000)
    cleanups.push(launched.close)
  })

  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  })

  return {
    get app() {
      return app
    },
    get url() {
      return url
    },

    /** Opens an address of the console as this user, or as nobody. */
    async open(path: string, user?: Pick<TestUser, 'token'>, size = { width: 1280, height: 900 }): Promise<Visit> {
      const page = await browser.newPage()
      await page.setViewportSize(size)
      const complaints: string[] = []
      page.on('request', (request) => {
        const address = request.url()
        if (!address.startsWith(`${url}/`) && !/^(data|blob):/.test(address)) complaints.push(`asked ${address}`)
      })
      page.on('console', (message) => {
        // A refused request is written there by the browser itself; tests look at what the page makes of it.
        if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
          complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      if (user) {
        await page.addInitScript(([key, token]) => sessionStorage.setItem(key, token), [
          'switchboard.token',
          user.token,
        ] as const)
      }
      await page.goto(`${url}/console${path}`)
      return { page, complaints }
    },

    /** Calls the API as a user; the answer's body. Throws when it is refused. */
    async send(user: Pick<TestUser, 'token'>, method: string, path: string, body?: unknown) {
      const response = await app.send(method, path, { token: user.token, body })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    },
  }
}

interface Finding {
  id: string
  impact: string | null
  nodes: { html: string; failureSummary?: string }[]
}

/** All rules once; the second theme has other colours and nothing else. */
const rulesOf = { light: undefined, dark: ['color-contrast'] }

/** Expects no serious finding of axe on what the page shows, in the light and in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), scheme)
    // Colours that are still changing would be measured half way.
    await page.addStyleTag({
      content: '*, *::before, *::after { transition: none !important; animation: none !important }',
    })
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
    const findings = await page.evaluate(async (rules) => {
      const { axe: run } = window as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } }
      return (await run.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })).violations
    }, rulesOf[scheme])
    const serious = findings.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(
      serious.map(
        ({ id, nodes }) =>
          `${scheme}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
      ),
    ).toEqual([])
  }
}
