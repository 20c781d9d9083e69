import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { createApp } from '../../src/app.ts'
import { type TestApp, testApp } from '../support/app.ts'

const places = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

/** The browser of this machine; without one the tests in it are skipped. */
export const executablePath = places.find((path) => existsSync(path))

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

/** A page of another origin: its head and body, and its Content-Security-Policy. */
export interface SitePage {
  head?: string
  body?: string
  lang?: string
  policy?: string
}

/** A server that answers the API, a website on another port, and a browser. */
export interface BrowserRig {
  app: TestApp
  api: string
  site: string
  browser: BrowserContext
  /** What the website shows at its only address. */
  serve(page: SitePage): void
  stop(): Promise<void>
}

const html = ({ head = '', body = '', lang = 'en' }: SitePage) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>${head}</head>
<body><h1>Bakery</h1><p>Fresh bread every day.</p><a href="#more">More</a>${body}</body></html>`

/** Starts all three. */
export async function startBrowser(): Promise<BrowserRig> {
  const app = await testApp()
  const settings = { ...app.services.settings }
  const api = createApp({ ...app.services, settings }).listen({ hostname: '127.0.0.1', port: 0 }).server
  if (!api) throw new Error('The server did not start')
  settings.publicUrl = `http://127.0.0.1:${api.port}`
  let page: SitePage = {}
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      new Response(html(page), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          ...(page.policy && { 'content-security-policy': page.policy }),
        },
      }),
  })
  const profile = await mkdtemp(join(tmpdir(), 'widget-browser-'))
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args, headless: true })
  return {
    app: { ...app, services: { ...app.services, settings } },
    api: settings.publicUrl,
    site: `http://127.0.0.1:${site.port}/`,
    browser,
    serve(next) {
      page = next
    },
    async stop() {
      await browser.close()
      await Promise.all([api.stop(true), site.stop(true)])
      await rm(profile, { recursive: true, force: true })
    },
  }
}
