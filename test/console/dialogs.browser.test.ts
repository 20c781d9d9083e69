import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('dialogs of the console, where the server or the finger is slow', () => {
  const rig = consoleRig()

  /** Holds requests whose address has one of these words until they are let go. */
  async function hold(page: Page, ...words: string[]) {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(
      (url) => words.some((word) => url.href.includes(word)),
      async (route) => {
        await promise
        await route.continue()
      },
    )
    return resolve
  }

  test('the catalogue shows no entry of another kind while a kind loads', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const name = `Base ${crypto.randomUUID()}`
    await rig.send(operator, 'POST', '/admin/base-configs', { name, config: {} })
    const { page, complaints } = await rig.open('/admin?filter=catalogue', operator)
    const kind = (label: string) => page.getByText(label, { exact: true }).last().click()
    await kind('Base configs')
    await page.getByRole('button', { name }).waitFor()
    const letGo = await hold(page, 'admin.tools.list')
    await kind('Tools')
    await page.getByRole('button', { name }).waitFor({ state: 'hidden', timeout: 5_000 })
    letGo()
    await page.getByRole('button', { name: 'New entry' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
