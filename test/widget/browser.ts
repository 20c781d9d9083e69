import type { BrowserContext } from 'playwright-core'
import type { EmbeddedPlatformOptions } from '../../src/voice-platform/embedded/platform.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { listening } from '../support/listening.ts'

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
export async function startBrowser(platform: Partial<EmbeddedPlatformOptions> = {}): Promise<BrowserRig> {
  const app = await testApp({}, platform)
  const api = listening(app)
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
  const { browser, close } = await openBrowser()
  return {
    app: { ...app, services: api.services },
    api: api.url,
    site: `http://127.0.0.1:${site.port}/`,
    browser,
    serve(next) {
      page = next
    },
    async stop() {
      await close()
      await Promise.all([api.stop(), site.stop(true)])
    },
  }
}
