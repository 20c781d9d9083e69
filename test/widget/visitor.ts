import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { EmbeddedPlatformOptions } from '../../src/voice-platform/embedded/platform.ts'
import { executablePath } from '../support/browser.ts'
import { type BrowserRig, type SitePage, startBrowser } from './browser.ts'
import { newWidget, type WidgetRig } from './rig.ts'

/** Someone on a website with a widget, and what they see. */
export interface Visitor {
  readonly rig: BrowserRig
  readonly page: Page
  /** Errors of the page and its scripts. */
  readonly complaints: string[]
  /** Opens the website in a new tab. */
  visit(site: SitePage): Promise<void>
  /** An assistant with a widget, and the tag that its owner is given by the server that this browser reaches. */
  newTag(config?: object): Promise<{ widget: WidgetRig; tag: string }>
  tagOf(widget: WidgetRig): Promise<string>
  launcher(): ReturnType<Page['locator']>
  dialog(): ReturnType<Page['locator']>
  field(): ReturnType<Page['locator']>
  bubbles(): ReturnType<Page['locator']>
  /** Waits until the assistant has said this. */
  reply(text: string): Promise<void>
  say(message: string): Promise<void>
  /** Where the focus is: inside the widget as `name.class`. */
  active(): Promise<string | undefined>
}

/** A visitor for the tests of one file, with a browser and servers of their own. */
export function visitor(platform: Partial<EmbeddedPlatformOptions> = {}): Visitor {
  let rig: BrowserRig
  let page: Page
  let complaints: string[] = []

  beforeAll(async () => {
    if (executablePath) rig = await startBrowser(platform)
  }, 60_000)
  afterAll(async () => {
    if (executablePath) await rig.stop()
  })
  afterEach(async () => {
    await page.close()
  })

  const tagOf = async (widget: WidgetRig) => (await widget.html()).replaceAll('http://localhost/', `${rig.api}/`)
  const field = () => page.getByRole('textbox')
  return {
    get rig() {
      return rig
    },
    get page() {
      return page
    },
    get complaints() {
      return complaints
    },
    async visit(site) {
      rig.serve(site)
      page = await rig.browser.newPage()
      page.setDefaultTimeout(8000)
      complaints = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      await page.goto(rig.site)
    },
    async newTag(config = {}) {
      const widget = await newWidget(rig.app, config)
      return { widget, tag: await tagOf(widget) }
    },
    tagOf,
    launcher: () => page.locator('switchboard-widget .launcher'),
    dialog: () => page.getByRole('dialog'),
    field,
    bubbles: () => page.locator('.said:not(.dots, .growing)'),
    reply: (text) => page.locator('.said.assistant:not(.dots, .growing)').filter({ hasText: text }).waitFor(),
    async say(message) {
      await field().fill(message)
      await field().press('Enter')
    },
    active: () =>
      page.evaluate(() => {
        const inner = document.activeElement?.shadowRoot?.activeElement
        return inner ? `${inner.localName}.${inner.className}` : document.activeElement?.localName
      }),
  }
}
