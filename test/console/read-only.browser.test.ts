import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { tabs as adminTabs } from '../../src/console/screens/admin/tabs.ts'
import { tabs as agentTabs } from '../../src/console/screens/agents/tabs.ts'
import { tabs as assistantTabs } from '../../src/console/screens/assistants/tabs.ts'
import { newTokenFor, newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { type Furnished, furnish } from './furnish.ts'
import { consoleRig } from './rig.ts'

/** Buttons that only move about, look something up or copy. */
const harmless =
  /^(Search|Show|Hide|Close|Open|Menu|Copy|What the screen|Switch|Theme|Use the|Account|Sign out|Newer|Older|Go to|next page|previous page|first page|last page|\d+|Refresh|Zoom|Fit|Toggle|Find|Snippets|API)/i

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
      .filter((node) => !node.matches(':disabled') && !node.matches('[role=tab], [role=option], .row-link'))
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
    const { assistant, agent, squad } = made
    screens = [
      ...['/', '/assistants', '/build', '/numbers', '/squads', '/deliveries', '/drift', '/agents', '/usage'],
      ...assistantTabs.map(({ value }) => `/assistants/${assistant}?filter=${value}`),
      ...agentTabs.map(({ value }) => `/agents/${agent}?filter=${value}`),
      `/squads/${squad}`,
      ...adminTabs.map(({ value }) => `/admin?filter=${value}`),
    ]
  })

  /** Goes on to a screen, as a link does, and waits until all that it asks for is there. */
  const ready = async (page: Page, path: string) => {
    await page.evaluate((address) => {
      history.pushState({}, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/console${path}`)
    await settled(page)
  }
  const settled = async (page: Page) => {
    let asked = 1
    while (asked > 0) {
      asked = 0
      const count = () => {
        asked += 1
      }
      page.on('request', count)
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 60))))
      await page.waitForFunction(
        () => document.querySelector('main .mantine-Skeleton-root, .mantine-Loader-root') === null,
      )
      page.off('request', count)
    }
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
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    return [...here, ...inside]
  }
  const writes = (all: Control[]) =>
    all.filter(({ what, name }) => what !== 'button' || !harmless.test(name)).map(({ what, name }) => `${what} ${name}`)

  test('is shown nothing that writes, on any screen', { timeout: 240_000 }, async () => {
    const { page } = await rig.open('/', reader)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const seen: Record<string, string[]> = {}
    for (const path of screens) {
      const left = writes(await found(page, path))
      if (left.length > 0) seen[path] = left
    }
    expect(seen).toEqual({})
    await page.close()
  })

  test('while its user is', { timeout: 240_000 }, async () => {
    const { page } = await rig.open('/', made)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const agentParts = ['chat', 'files', 'connectors', 'shares'].map((tab) => `/agents/${made.agent}?filter=${tab}`)
    const adminParts = ['users', 'workspaces', 'resellers', 'catalogue'].map((tab) => `/admin?filter=${tab}`)
    for (const path of ['/assistants', '/numbers', '/squads', '/drift', ...agentParts, ...adminParts]) {
      expect(writes(await found(page, path)), path).not.toEqual([])
    }
    await page.close()
  })
})
