import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('the focus', () => {
  const rig = consoleRig()

  const expectFocus = (what: Locator) =>
    expect
      .poll(() => what.evaluate((node) => node === document.activeElement || document.activeElement?.outerHTML))
      .toBe(true)
  const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

  test('returns to what opened a dialog, a drawer or a menu, and to a field whose save took the button away', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/agents', user)
    const opener = page.getByRole('button', { name: 'New agent' }).first()
    await opener.press('Enter')
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    await expectFocus(opener)

    const account = page.getByRole('button', { name: /^Account of / })
    await account.press('Enter')
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(account)

    const calls = page.getByRole('button', { name: 'Show the API calls of this screen' })
    await calls.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter')
    await closed(page)
    await expectFocus(calls)

    const { data: agent } = await rig.send(user, 'POST', '/agents', { name: 'Guide' })
    await page.goto(`${rig.url}/console/agents/${agent.id}?filter=instructions`)
    const field = page.getByRole('textbox', { name: 'Description' })
    await field.fill('Answers questions.')
    await page.getByRole('button', { name: 'Save changes' }).press('Enter')
    await page.getByText('The agent is saved.').waitFor()
    await expectFocus(field)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('goes to the next row when one is deleted, and to the heading of the list that a deletion leads to', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const made = ['One', 'Two']
    for (const name of made) {
      await rig.send(operator, 'POST', '/admin/layer2-presets', { key: crypto.randomUUID(), name, overrides: {} })
    }
    const { page, complaints } = await rig.open('/admin?filter=catalogue', operator)
    await page.getByText('Presets', { exact: true }).last().click()
    const remove = async (name: string) => {
      const row = page.getByRole('button', { name, exact: true })
      await row.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Delete entry' }).press('Enter')
      await row.waitFor({ state: 'detached' })
      await closed(page)
    }
    await remove('Two')
    await expectFocus(page.getByRole('button', { name: 'One', exact: true }))

    const user = await newUser(rig.app.database)
    await rig.send(user, 'POST', '/agents', { name: 'Guide' })
    const { page: other } = await rig.open('/agents', user)
    await other.getByRole('link', { name: 'Guide' }).press('Enter')
    await expectFocus(other.getByRole('heading', { name: 'Guide', level: 1 }))
    await other.getByRole('button', { name: 'Delete' }).press('Enter')
    await other.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).press('Enter')
    await expectFocus(other.getByRole('heading', { name: 'Agents', level: 1 }))
    expect(complaints).toEqual([])
    await other.close()
    await page.close()
  })

  test('skips to the content, without leaving unsaved changes', async () => {
    const user = await newUser(rig.app.database)
    const { data: agent } = await rig.send(user, 'POST', '/agents', { name: 'Guide' })
    const { page, complaints } = await rig.open(`/agents/${agent.id}?filter=instructions`, user)
    await page.getByRole('textbox', { name: 'Description' }).fill('Answers questions.')
    const address = page.url()
    const skip = page.getByRole('button', { name: 'Skip to the content' })
    await skip.focus()
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await expectFocus(page.getByRole('main'))
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
    expect(page.url()).toBe(address)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('is seen wherever it comes to, in both themes', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    await rig.send(operator, 'POST', '/agents', { name: 'Guide' })
    await rig.send(operator, 'POST', '/assistants', { name: 'Front desk' })
    const { page, complaints } = await rig.open('/agents', operator)
    // Colours that are still changing would be measured half way.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const path of ['/agents', '/assistants', '/admin?filter=users']) {
      await page.goto(`${rig.url}/console${path}`)
      await page.locator('main .row-link, main .tile').first().waitFor()
      for (const scheme of ['light', 'dark']) {
        await page.evaluate(
          (value) => document.documentElement.setAttribute('data-mantine-color-scheme', value),
          scheme,
        )
        await page.getByRole('button', { name: 'Skip to the content' }).focus()
        let stops = 0
        for (; stops < 60; stops += 1) {
          await page.keyboard.press('Tab')
          const read = () =>
            page.evaluate(() => {
              const node = document.activeElement
              if (!node?.closest('#root')) return 'end'
              const ring = getComputedStyle(document.documentElement).getPropertyValue('--focus')
              const probe = document.createElement('i')
              probe.style.color = ring
              document.body.append(probe)
              const { color } = getComputedStyle(probe)
              probe.remove()
              // What is drawn for a button of a group is its label.
              const isSeen = [node, node.nextElementSibling].some((one) => {
                if (!one) return false
                const { outlineStyle, outlineColor, borderTopColor } = getComputedStyle(one)
                return (outlineStyle !== 'none' && outlineColor === color) || borderTopColor === color
              })
              return isSeen ? 'seen' : node.outerHTML.slice(0, 200)
            })
          await expect.poll(read, { message: `${path}, ${scheme}` }).toMatch(/^(seen|end)$/)
          if ((await read()) === 'end') break
        }
        expect(stops).toBeGreaterThan(15)
      }
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  test('goes to the heading of a screen that a link or the search leads to, and nowhere else by itself', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/', user)
    await page.getByText('What to set up').waitFor()
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    const title = (name: string) => page.getByRole('heading', { name, level: 1, exact: true })
    await page.getByRole('link', { name: 'Numbers', exact: true }).press('Enter')
    await expectFocus(title('Numbers'))
    for (const name of ['Squads', 'Agents', 'Squads']) {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Search screens and names').fill(name)
      await page.keyboard.press('Enter')
      await closed(page)
      await expectFocus(title(name))
    }
    await page.getByRole('button', { name: 'New squad' }).first().focus()
    await page.mouse.click(640, 880)
    await page.evaluate(() => document.querySelector('main table, main .mantine-Card-root')?.remove())
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('main')
    expect(complaints).toEqual([])
    await page.close()
  })
})
