import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'
import { beyondTheEdge } from './screens.ts'

describe.skipIf(!executablePath)('the console for everybody', () => {
  const rig = consoleRig()

  test.each([320, 1280])('has a name for everything of its shell at %i pixels', async (width) => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/', user, { width, height: 700 })
    await page.getByText('What to set up').waitFor()
    await page.getByRole('link', { name: 'Switchboard, home' }).waitFor()
    await expectAccessible(page)
    const sections = page.getByRole('button', { name: 'Sections' })
    expect(await sections.isVisible()).toBe(width < 768)
    if (width < 768) {
      expect(await page.getByRole('link', { name: 'Agents', exact: true }).count()).toBe(0)
      await sections.click()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Agents', exact: true }).click()
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    }
    const large = await page.addStyleTag({ content: 'html { font-size: 200% }' })
    expect(await beyondTheEdge(page)).toEqual([])
    await large.evaluate((node) => node.parentNode?.removeChild(node))
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search screens and names').waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each([
    ['de-DE,de', '$1,234.50', 'Mar 1, 2026, 6:30'],
    ['de-DE,de,en-GB', 'US$1,234.50', '1 Mar 2026, 18:30'],
    ['en-US,en', '$1,234.50', 'Mar 1, 2026, 6:30'],
  ])('is in English in a browser that speaks %s', async (languages, amount, time) => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const user = await newUser(rig.app.database)
    const workspace = `/admin/workspaces/${user.workspaceId}`
    await rig.send(operator, 'PATCH', workspace, { billing: 'usd', owner_id: user.userId })
    const credit = { payment_id: crypto.randomUUID(), amount_usd: 1234.5 }
    await rig.send(operator, 'POST', `${workspace}/credits`, credit)
    const { page, complaints } = await rig.open('/', user)
    await page.route('**/trpc/**', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/"created_at":"[^"]+"/g, '"created_at":"2026-03-01T17:30:00.000Z"')
      await route.fulfill({ response, body })
    })
    const browser = await page.context().newCDPSession(page)
    const [locale = ''] = languages.split(',')
    await browser.send('Emulation.setLocaleOverride', { locale })
    await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' })
    const userAgent = await page.evaluate(() => navigator.userAgent)
    await browser.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: languages })
    await page.goto(`${rig.url}/console/usage`)
    expect(await page.evaluate(() => [document.documentElement.lang, navigator.language])).toEqual(['en', locale])
    await page.getByText(amount, { exact: true }).first().waitFor()
    await page.getByRole('cell', { name: time }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('holds still for whoever asked their device for that', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/agents', user)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await page.getByRole('button', { name: 'New agent' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Guide')
    const moving = () =>
      page.evaluate(() =>
        document.getAnimations().flatMap(({ effect }) => {
          const { duration } = effect?.getComputedTiming() ?? {}
          return Number(duration) > 1 && effect instanceof KeyframeEffect
            ? [effect.target?.outerHTML.slice(0, 200)]
            : []
        }),
      )
    expect(await moving()).toEqual([])
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/trpc/**', async (route) => {
      await promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.waitForTimeout(50)
    expect(await moving()).toEqual([])
    resolve()
    await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor()
    expect(await moving()).toEqual([])
    await page.emulateMedia({ reducedMotion: null })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('takes names whose letters are emoji to the length that the API takes, and no longer', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/assistants?filter=new', user)
    const name = '🦷'.repeat(40)
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
    await field.fill(`${name}🦷`)
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByText('Assistant name cannot exceed 40 characters.').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.press('End')
    await field.press('Backspace')
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
