import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { tabs as accountTabs } from '../../src/console/screens/account/tabs.ts'
import { newTokenFor, newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { type Furnished, furnish } from './furnish.ts'
import { consoleRig, expectAccessible } from './rig.ts'
import { adminPath, beyondTheEdge, screensOf } from './screens.ts'

/** Buttons that only move about, look something up or copy. */
const harmless =
  /^(Search|Compare|Show|Hide|Close|Open|Menu|Copy|What the screen|Switch|Theme|Use the|Account|Sign out|Newer|Older|Go to|next page|previous page|first page|last page|\d+|Refresh|Zoom|Fit|Toggle|Find|Snippets|API)/i

interface Control {
  what: string
  name: string
}

/** What the page lets somebody press or change that may write: buttons that are not harmless, switches and files. */
const controls = (page: Page): Promise<Control[]> =>
  page.evaluate(() => {
    const isSeen = (node: Element) => node.checkVisibility({ checkOpacity: true, visibilityProperty: true })
    const nameOf = (node: Element) =>
      (node.getAttribute('aria-label') ?? node.textContent ?? '').trim() || (node.getAttribute('title') ?? '')
    const found = [...document.querySelectorAll('main button, [role=dialog] button, main input, [role=dialog] input')]
    return found
      .filter((node) => isSeen(node) || node.getAttribute('type') === 'file')
      .filter((node) => !node.matches(':disabled, [role=tab], [role=option], .row-link, [data-accordion-control]'))
      .flatMap((node) => {
        if (node.localName === 'button') return [{ what: 'button', name: nameOf(node) }]
        const type = node.getAttribute('type')
        const isSwitch = type === 'checkbox' || type === 'file'
        return isSwitch ? [{ what: type ?? '', name: nameOf(node) }] : []
      })
  })

describe.skipIf(!executablePath)('a token that may only read', () => {
  const rig = consoleRig()
  let made: Furnished
  let reader: { token: string }
  let screens: string[]
  beforeAll(async () => {
    if (!executablePath) return
    const operator = await newUser(rig.app.database, { role: 'admin' })
    made = await furnish(rig.url, operator.token)
    const { data } = await rig.send({ token: made.token }, 'GET', '/user/access')
    reader = { token: await newTokenFor(rig.app.database, data.user.id, undefined, ['read']) }
    screens = screensOf(made)
  })

  const ready = async (page: Page, path: string) => {
    await page.goto(`${rig.url}/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
  }
  /** Waits until nothing is asked for any more and nothing stands in for what will come. */
  const settled = async (page: Page) => {
    const waits = () => document.querySelector('main .mantine-Skeleton-root, .mantine-Loader-root') === null
    let quiet = 0
    while (quiet < 2) {
      const before = started
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 50))))
      await page.waitForFunction(waits).catch(async (error: unknown) => {
        const main = await page.locator('main').innerHTML()
        throw new Error(`${page.url()} goes on waiting: ${main.slice(0, 4000)}`, { cause: error })
      })
      quiet = started === before && running.size === 0 ? quiet + 1 : 0
    }
  }
  const running = new Set<Request>()
  let started = 0
  const watched = (page: Page): Page => {
    page.on('request', (request) => {
      started += 1
      running.add(request)
    })
    page.on('requestfinished', (request) => running.delete(request))
    page.on('requestfailed', (request) => running.delete(request))
    return page
  }
  /** What is on the screen, and in the first of its rows. */
  const found = async (page: Page, path: string) => {
    await ready(page, path)
    const here = await controls(page)
    const row = page.locator('main .row-link').first()
    if ((await row.count()) === 0 || (await row.evaluate((node) => node.localName)) === 'a') return here
    await row.click()
    await page.getByRole('dialog').waitFor()
    await settled(page)
    const inside = await controls(page)
    return [...here, ...inside]
  }
  const writes = (all: Control[]) =>
    all.filter(({ what, name }) => what !== 'button' || !harmless.test(name)).map(({ what, name }) => `${what} ${name}`)

  test('is shown nothing that writes, on any screen', { timeout: 240_000 }, async () => {
    const page = watched((await rig.open('/', reader)).page)
    const seen: Record<string, string[]> = {}
    for (const path of screens) {
      const left = writes(await found(page, path))
      if (left.length > 0) seen[path] = left
    }
    expect(seen).toEqual({})
    await page.close()
  })

  test('while its user is, on screens that assistive technology reads, and for which a small phone is wide enough and large letters are not too large', {
    timeout: 360_000,
  }, async () => {
    const page = watched((await rig.open('/', made)).page)
    const agentParts = ['chat', 'files', 'connectors', 'shares'].map((tab) => `/agents/${made.agent}?filter=${tab}`)
    const adminParts = ['users', 'workspaces', 'catalogue'].map(adminPath)
    const accountParts = accountTabs.map(({ value }) => `/account?filter=${value}`)
    const writing = [...accountParts, '/assistants', '/numbers', '/squads', '/drift', ...agentParts, ...adminParts]
    for (const path of screens) {
      const all = await found(page, path)
      await page.keyboard.press('Escape')
      // What a caller may do is asked for as well: on a busy machine the screen has it a little later.
      if (writing.includes(path))
        await expect.poll(async () => writes([...all, ...(await controls(page))]), { message: path }).not.toEqual([])
      await expectAccessible(page)
      await page.setViewportSize({ width: 320, height: 844 })
      expect(await beyondTheEdge(page), `${path} on a small phone`).toEqual([])
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      expect(await beyondTheEdge(page), `${path} in large letters`).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await beyondTheEdge(page), `${path} in large letters on a phone`).toEqual([])
      await page.setViewportSize({ width: 1280, height: 900 })
    }
    await page.close()
  })
})
