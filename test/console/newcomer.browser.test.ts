import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

/** The way that docs/console.md describes: one test for each of its steps, on one page, by clicks alone. */
describe.skipIf(!executablePath)("a newcomer's way", () => {
  const rig = consoleRig()
  const industry = `Clinic ${crypto.randomUUID().slice(0, 8)}`
  let user: TestUser
  let page: Page
  let complaints: string[]
  const assistant = async () => (await rig.send(user, 'GET', '/v2/assistants')).data[0]
  const section = (name: string) => page.getByRole('link', { name, exact: true }).click()
  const tab = (name: string) => page.getByRole('tab', { name }).click()
  const toAssistant = async () => {
    await section('Assistants')
    await page.getByRole('link', { name: 'Front desk' }).click()
  }

  beforeAll(async () => {
    if (!executablePath) return
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { data: base } = await rig.send(operator, 'POST', '/admin/base-configs', {
      name: `Base of ${industry}`,
      config: { voice: { provider: 'vapi', voiceId: 'Elliot' }, maxDurationSeconds: 600 },
    })
    await rig.send(operator, 'POST', '/admin/industry-templates', {
      name: industry,
      base_config_id: base.id,
      prompt: 'You answer for {{company_name}} in {{town}}.\nOpening hours: {{opening_hours}}.\nBe kind.',
      custom_fields: [{ key: 'opening_hours', label: 'Opening hours', required: true }],
    })
    user = await newUser(rig.app.database)
    const visit = await rig.open('/')
    page = visit.page
    complaints = visit.complaints
  })

  afterAll(async () => {
    await page?.close()
  })

  test('signs in with a token, which is kept in the tab alone', async () => {
    await expectAccessible(page)
    const token = page.getByLabel('Token', { exact: true })
    await token.fill('vk_unknown')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The server does not know this token.').waitFor()
    await token.fill(user.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('What to set up').waitFor()
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
    await expectAccessible(page)
  })

  test('builds an assistant from layers, and sees which each setting is from and what has no value', async () => {
    await page.getByRole('link', { name: 'Build one, and talk to it without a phone.' }).click()
    await page.getByText('Choose an industry or a base: what').waitFor()
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByText('Choose an industry or a base.', { exact: true }).waitFor()
    await page.getByPlaceholder('None').first().click()
    await page.getByRole('option', { name: industry, exact: true }).click()
    const open = page.getByRole('alert').filter({ hasText: 'Still to answer' })
    await open.getByText('Opening hours').waitFor()
    await page.getByText('Opening hours: [Opening hours].').waitFor()
    await page.getByRole('row', { name: /^Base maxDurationSeconds 600/ }).waitFor()
    await page.getByRole('row', { name: /^Industry model\.messages/ }).waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByText('Assistant name is required.').waitFor()
    await page.getByText('Opening hours: an answer is needed.').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Front desk')
    await page.getByRole('textbox', { name: 'Opening hours' }).fill('Monday to Friday')
    await page.getByRole('alert').getByText('{{company_name}}, {{town}}').waitFor()
    await page.getByRole('button', { name: 'Create assistant' }).click()
    const gaps = page.getByRole('dialog', { name: 'Create it with gaps?' })
    await gaps.getByText('{{company_name}}, {{town}} would be left out').waitFor()
    await expectAccessible(page)
    await gaps.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('textbox', { name: 'Company' }).fill('Harbour Dental')
    await page.getByRole('textbox', { name: 'Town' }).fill('Bristol')
    await page.getByText('Without a value').waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: 'Own greeting' }).fill('Hello from {{company_name}}!')
    await page.getByText('Hello from Harbour Dental!').waitFor()
    await page.getByRole('row', { name: /^Your own firstMessage/ }).waitFor()
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    expect(await assistant()).toMatchObject({
      name: 'Front desk',
      base_config_name: `Base of ${industry}`,
      first_message: 'Hello from Harbour Dental!',
    })
  })

  test('talks to it beside the editor', async () => {
    await page.getByRole('textbox', { name: 'What the caller says' }).fill('What are your opening hours?')
    await page.getByRole('button', { name: 'Say', exact: true }).click()
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await transcript.getByText('Hello from Harbour Dental!').waitFor()
    await transcript.getByText('Monday to Friday').waitFor()
    await expectAccessible(page)
  })

  test('changes its prompt, which keeps its placeholders, sees the change, and restores what was before', async () => {
    const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
    const written = await prompt.inputValue()
    expect(written).toBe('You answer for {{company_name}} in {{town}}.\nOpening hours: {{opening_hours}}.\nBe kind.')
    await prompt.fill(written.replace('Be kind.', 'Be brief.'))
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Assistant updated successfully').waitFor()
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    const rendered = 'You answer for Harbour Dental in Bristol.\nOpening hours: Monday to Friday.\n'
    expect((await assistant()).model.messages).toEqual([{ role: 'system', content: `${rendered}Be brief.` }])

    await tab('History')
    await page.getByText('Set the system prompt.').waitFor()
    await page.getByRole('button', { name: 'Show changes' }).first().click()
    expect(await page.locator('.difference del').allTextContents()).toEqual(['Be kind.'])
    expect(await page.locator('.difference ins').allTextContents()).toEqual(['Be brief.'])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Assistant restored successfully').waitFor()
    expect((await assistant()).model.messages).toEqual([{ role: 'system', content: `${rendered}Be kind.` }])
    await tab('Edit')
    await page.getByText('Be kind.').waitFor()
    expect(await prompt.inputValue()).toBe(written)
  })

  test('gets a number, and says at once who answers it', async () => {
    await section('Numbers')
    await page.getByText('No number yet').waitFor()
    await page.getByRole('button', { name: 'Get a number' }).first().click()
    await page.getByRole('dialog').getByText('These numbers are made up').waitFor()
    await page.getByRole('textbox', { name: 'Area code' }).fill('415')
    await page
      .getByRole('button', { name: /^Get it: \+1415/ })
      .first()
      .click()
    const drawer = page.getByRole('dialog', { name: /^\+1415/ })
    await drawer
      .getByRole('combobox', { name: 'Calls go to' })
      .or(drawer.getByRole('textbox', { name: 'Calls go to' }))
      .first()
      .click()
    await page.getByRole('option', { name: 'Front desk' }).click()
    const fallback = drawer.getByRole('textbox', { name: 'If nobody answers, to this number' })
    await fallback.fill('12')
    await drawer.getByRole('button', { name: 'Save changes' }).click()
    await drawer.getByText('The fallback number must be a valid phone number').waitFor()
    await fallback.fill('+14155550100')
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('cell', { name: 'Front desk assistant' }).waitFor()
    const { data: numbers } = await rig.send(user, 'GET', '/phone-numbers')
    expect(numbers).toMatchObject([
      {
        voice_assistant_id: (await assistant()).voice_assistant_id,
        fallback_destination: { type: 'number', number: '+14155550100' },
      },
    ])
  })

  test('puts the widget on a page, where a visitor writes, and reads and deletes what was written', async () => {
    await toAssistant()
    await tab('Conversations')
    await page.getByText('No visitor wrote yet').waitFor()
    await tab('Website')
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Harbour Dental')
    const frame = page.frameLocator('iframe')
    await frame.getByText('Harbour Dental').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The widget is saved.').waitFor()
    await expectAccessible(page)
    const tag = await page.locator('pre', { hasText: '<script' }).textContent()
    const site = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () =>
        new Response(`<!doctype html><title>Shop</title><h1>Our practice</h1>${tag}`, {
          headers: { 'content-type': 'text/html; charset=utf-8' },
        }),
    })
    const shop = await page.context().newPage()
    try {
      await shop.goto(site.url.href)
      await shop.getByRole('button').first().click()
      await shop.getByRole('textbox').fill('What are your opening hours?')
      await shop.keyboard.press('Enter')
      await shop.getByText('Monday to Friday').waitFor()
    } finally {
      await shop.close()
      await site.stop(true)
    }

    await tab('Conversations')
    await page.getByRole('table').getByRole('button', { name: 'What are your opening hours?' }).click()
    const dialog = page.getByRole('dialog')
    const transcript = dialog.getByRole('region', { name: 'Transcript' })
    await transcript.getByText('What are your opening hours?').waitFor()
    await transcript.getByText('Monday to Friday').waitFor()
    await dialog.getByText('Visitor', { exact: true }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete conversation' }).click()
    await page.getByText('No visitor wrote yet').waitFor()
  })

  test('builds it again with what it was built from in the form', async () => {
    await page.getByRole('link', { name: 'Rebuild' }).click()
    await page.getByRole('heading', { name: 'Rebuild Front desk' }).waitFor()
    expect(await page.getByPlaceholder('None').first().inputValue()).toBe(industry)
    expect(await page.getByRole('textbox', { name: 'Opening hours' }).inputValue()).toBe('Monday to Friday')
    expect(await page.getByRole('textbox', { name: 'Town' }).inputValue()).toBe('Bristol')
    expect(await page.getByRole('textbox', { name: 'Own greeting' }).inputValue()).toBe('Hello from {{company_name}}!')
    await page.getByText('You answer for Harbour Dental in Bristol.').waitFor()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Own greeting' }).fill('Good day from {{company_name}}!')
    await page.getByText('Good day from Harbour Dental!').waitFor()
    await page.getByRole('button', { name: 'Rebuild assistant' }).click()
    await page.getByRole('tab', { name: 'History' }).waitFor()
    expect(await assistant()).toMatchObject({ first_message: 'Good day from Harbour Dental!' })
    expect(complaints).toEqual([])
  })
})
