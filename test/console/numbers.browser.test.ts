import { describe, expect, test } from 'vitest'
import { newUser, type TestUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('numbers and squads in the console', () => {
  const rig = consoleRig()

  test('a squad is drawn and published', async () => {
    const user = await newUser(rig.app.database)
    for (const name of ['Front desk', 'Billing']) await rig.send(user, 'POST', '/assistants', { name })
    const { page, complaints } = await rig.open('/squads', user)
    await page.getByRole('button', { name: 'New squad' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Reception')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'Reception' }).waitFor()
    for (const name of ['Front desk', 'Billing']) {
      await page.getByPlaceholder('Choose one').click()
      await page.getByRole('option', { name }).click()
    }
    const source = page.locator('.react-flow__node', { hasText: 'Front desk' }).locator('.react-flow__handle.source')
    const target = page.locator('.react-flow__node', { hasText: 'Billing' }).locator('.react-flow__handle.target')
    await source.dragTo(target, { force: true })
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The squad is published.').waitFor()
    await page.getByText('published', { exact: true }).waitFor()
    const { data: squads } = await rig.send(user, 'GET', '/squads')
    await page.goto(`${rig.url}/console/squads`)
    await page.getByRole('link', { name: 'Reception' }).waitFor()
    await page.getByRole('textbox', { name: 'Search by name' }).fill('zeppelin')
    await page.getByText('No squad has this name').waitFor()
    expect(squads).toMatchObject([{ status: 'published', entryAssistantName: 'Front desk', memberCount: 2 }])
    expect(squads[0].members[0].assistantDestinations).toMatchObject([{ assistantName: 'Billing' }])
    expect(complaints).toEqual([])
    await page.close()
  })

  /** A user with more assistants than the API lists at once, and one whose name stands behind theirs. */
  async function crowded() {
    const user = await newUser(rig.app.database)
    const named = (name: string) => rig.send(user, 'POST', '/assistants', { name })
    for (let made = 0; made < 100; made += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => named(`Desk ${made + index}`)))
    }
    const { data } = await named('Zeppelin hangar')
    return { user, last: data }
  }

  test('who answers is chosen among any number of assistants, as are members and whose webhooks are shown', async () => {
    const { user, last } = await crowded()
    const { data: number } = await rig.send(user, 'POST', '/phone-numbers', { phone_number: await offered(user) })
    const { page, complaints } = await rig.open('/numbers', user)
    const pick = async (field: string) => {
      const box = page.getByRole('combobox', { name: field })
      await box.click()
      await page.getByRole('option', { name: 'Type a part of the name to find others' }).waitFor()
      await box.fill('zeppelin')
      await page.getByRole('option', { name: 'Zeppelin hangar' }).click()
    }
    await page.getByRole('table').getByRole('button').first().click()
    await pick('Calls go to')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('cell', { name: 'Zeppelin hangar' }).waitFor()
    const { data: saved } = await rig.send(user, 'GET', `/phone-numbers/${number.id}`)
    expect(saved.voice_assistant_id).toBe(last.voice_assistant_id)
    // What is chosen has its name in the field, though the server's first answer does not have it.
    await page.getByRole('table').getByRole('button').first().click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Calls go to' }).inputValue()).toBe('Zeppelin hangar')

    await page.goto(`${rig.url}/console/deliveries`)
    await expect.poll(() => page.getByRole('combobox', { name: 'Calls of' }).inputValue()).toBe('The whole workspace')
    await page.goto(`${rig.url}/console/deliveries?filter=none`)
    await pick('Calls of')
    await page.waitForURL(`**/deliveries?filter=${last.assistant_id}`)

    const { data: draft } = await rig.send(user, 'POST', '/squads', { name: 'Reception', members: [] })
    await page.goto(`${rig.url}/console/squads/${draft.external_squad_id}`)
    await pick('Add an assistant')
    await page.locator('.react-flow__node', { hasText: 'Zeppelin hangar' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  const offered = async (user: TestUser) => {
    const { data } = await rig.send(user, 'GET', '/phone-numbers/available?area_code=415')
    return String(data[0].phone_number)
  }

  test.each(['its owner', 'an operator'])('a number is called for a test by %s, by what it leads to', async (who) => {
    const user = await newUser(rig.app.database)
    const { data: desk } = await rig.send(user, 'POST', '/assistants', {
      name: 'Front desk',
      firstMessage: 'Hello there.',
      metadata: { webhook_url: `${rig.url}/hooks` },
    })
    const { data: number } = await rig.send(user, 'POST', '/phone-numbers', { phone_number: await offered(user) })
    await rig.send(user, 'PUT', `/phone-numbers/${number.id}`, { voice_assistant_id: desk.voice_assistant_id })
    const by = who === 'an operator' ? await newUser(rig.app.database, { role: 'admin' }) : user
    const { page, complaints } = await rig.open(`/numbers?search=${number.phone_number.slice(1)}`, by)
    await page.getByRole('table').getByRole('button').first().click()
    await page.getByRole('textbox', { name: 'What the caller says' }).fill('Do you open on Friday?')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Transcript' }).getByText('Hello there.').waitFor()
    await page.getByText('Webhooks of this call').waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what is typed takes the place of who answered, and Enter does not save what nobody chose', async () => {
    const user = await newUser(rig.app.database)
    const { data: desk } = await rig.send(user, 'POST', '/assistants', { name: 'Beta' })
    const { data: number } = await rig.send(user, 'POST', '/phone-numbers', { phone_number: await offered(user) })
    const { page, complaints } = await rig.open('/numbers', user)
    await page.getByRole('table').getByRole('button').first().click()
    const box = page.getByRole('combobox', { name: 'Calls go to' })
    await expect.poll(() => box.inputValue()).toBe('Nobody')
    await box.click()
    await page.keyboard.type('No such')
    expect(await box.inputValue()).toBe('No such')
    await page.getByText('Nothing has this name').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForTimeout(500)
    expect(await page.getByRole('dialog', { name: number.phone_number }).isVisible()).toBe(true)
    const fallback = page.getByRole('textbox', { name: 'If nobody answers' })
    await fallback.fill('abc@@')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => fallback.getAttribute('aria-invalid')).toBe('true')
    await fallback.fill('desk@example.com')
    await box.fill('Beta')
    await page.getByRole('option', { name: 'Beta' }).click()
    expect(await box.inputValue()).toBe('Beta')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('cell', { name: 'Beta' }).waitFor()
    const { data: saved } = await rig.send(user, 'GET', `/phone-numbers/${number.id}`)
    expect(saved.voice_assistant_id).toBe(desk.voice_assistant_id)
    expect(saved.fallback_destination).toMatchObject({ type: 'sip', sipUri: 'desk@example.com' })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a number that costs is bought after a question, a made-up one at once', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/numbers', user)
    const get = async (clicks: number) => {
      await page.getByRole('button', { name: 'Get a number' }).first().click()
      await page
        .getByRole('button', { name: /^Get it: \+/ })
        .first()
        .click({ clickCount: clicks })
    }
    await get(2)
    await page.getByText('is yours. Say who answers it.').waitFor()
    await page.waitForTimeout(500)
    expect(await page.getByText('That did not work').count()).toBe(0)
    const numbers = async () => (await rig.send(user, 'GET', '/phone-numbers')).data
    expect(await numbers()).toHaveLength(1)

    await page.route('**/trpc/**', async (route) => {
      if (!route.request().url().includes('overview.get')) return route.fallback()
      const response = await route.fetch()
      const body = (await response.text()).replace(/("carrier":\{"kind":)"embedded"/, '$1"twilio"')
      await route.fulfill({ response, body })
    })
    await page.reload()
    await get(1)
    const question = page.getByRole('dialog', { name: /^Buy \+/ })
    await question.getByText('The carrier charges for it').waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await numbers()).toHaveLength(1)
    await page
      .getByRole('button', { name: /^Get it: \+/ })
      .first()
      .click()
    await question.getByRole('button', { name: 'Buy the number' }).click()
    await page.getByText('is yours. Say who answers it.').waitFor()
    expect(await numbers()).toHaveLength(2)
    expect(complaints).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  })
})
