import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

/** More stops than any screen has. */
const maxStops = 120

describe.skipIf(!executablePath)('the keyboard alone', () => {
  const rig = consoleRig()

  /** Goes on with Tab until this has the focus. */
  const reach = async (page: Page, what: Locator) => {
    await what.waitFor()
    for (let stops = 0; stops < maxStops; stops += 1) {
      if (await what.evaluate((node) => node === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab never comes to ${what}`)
  }

  test('signs in, makes an assistant, changes its prompt and restores it', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/')
    const { keyboard } = page
    const press = async (what: Locator, key = 'Enter') => {
      await reach(page, what)
      await keyboard.press(key)
    }
    await reach(page, page.getByLabel('Token', { exact: true }))
    await keyboard.type(user.token)
    await keyboard.press('Enter')
    await page.getByText('What to set up').waitFor()

    await keyboard.press('Control+k')
    const search = page.getByRole('dialog').getByRole('textbox')
    await reach(page, search)
    await keyboard.type('New assistant')
    await page.getByRole('dialog').getByText('New assistant').first().waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New assistant' })
    await reach(page, dialog.getByRole('textbox', { name: 'Name' }))
    await keyboard.type('Front desk')
    await reach(page, dialog.getByRole('textbox', { name: 'Prompt' }))
    await keyboard.type('Be kind.')
    await press(dialog.getByRole('button', { name: 'Create' }))
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()

    await reach(page, page.getByRole('textbox', { name: 'Prompt', exact: true }))
    await keyboard.press('Control+a')
    await keyboard.type('Be brief.')
    await press(page.getByRole('button', { name: 'Save changes' }))
    await page.getByText('Assistant updated successfully').waitFor()

    const history = page.getByRole('tab', { name: 'History' })
    await reach(page, page.getByRole('tab', { selected: true }))
    for (let tabs = 0; tabs < 10 && (await history.getAttribute('aria-selected')) !== 'true'; tabs += 1) {
      await keyboard.press('ArrowRight')
    }
    await press(page.getByRole('button', { name: 'Restore' }).first())
    await press(page.getByRole('dialog').getByRole('button', { name: 'Restore' }))
    await page.getByText('Assistant restored successfully').waitFor()
    const { data } = await rig.send(user, 'GET', '/v2/assistants')
    expect(data[0].model.messages).toEqual([{ role: 'system', content: 'Be kind.' }])
    expect(complaints).toEqual([])
    await page.close()
  })
})
