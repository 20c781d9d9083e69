import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('saves of an assistant in the console', () => {
  const rig = consoleRig()
  const promptIn = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true })
  const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()

  test('ask before they replace what somebody else changed, and keep the rest', async () => {
    const user = await newUser(rig.app.database)
    const { data: made } = await rig.send(user, 'POST', '/assistants', {
      name: 'Front desk',
      model: { messages: [{ role: 'system', content: 'Be kind.\nBe brief.\nAsk for a name.' }] },
      variableValues: { town: 'Bristol', street: 'Harbour Road' },
    })
    const address = `/assistants/${made.assistant_id}`
    const stored = async () => (await rig.send(user, 'GET', address)).data
    const { page, complaints } = await rig.open(address, user)
    await promptIn(page).fill('Be kind.\nBe brief.\nAsk for a number.')
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Good morning.')
    await page.getByRole('button', { name: 'Variables and plans (JSON)' }).click()
    const json = page.getByRole('textbox', { name: 'Everything else' })
    await json.fill((await json.inputValue()).replace('Bristol', 'Bath'))
    const theirs = 'Be quick.\nBe brief.\nAsk for a name.'
    await rig.send(user, 'PUT', address, {
      name: 'Reception',
      model: { messages: [{ role: 'system', content: theirs }] },
      variableValues: { town: 'Bern', street: 'Quay Street' },
    })
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' })
    await dialog.waitFor()
    expect(await dialog.locator('ins').allTextContents()).toEqual(['Be quick.\n', 'Bern'])
    await dialog.getByText('variableValues.town').waitFor()
    await dialog.getByRole('button', { name: 'Back to the form' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await stored()).model.messages[0].content).toBe(theirs)
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Reception')
    await promptIn(page).fill('Be quick.\nBe brief.\nAsk for a number.')
    await rig.send(user, 'PUT', address, { name: 'Reception', firstMessage: 'Good evening.' })
    await save(page)
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Assistant updated successfully').waitFor()
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    const now = await stored()
    expect([now.name, now.first_message, now.model.messages[0].content, now.metadata.variable_values]).toEqual([
      'Reception',
      'Good morning.',
      'Be quick.\nBe brief.\nAsk for a number.',
      { town: 'Bath', street: 'Quay Street' },
    ])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('say what is stored of one that was built where the server refuses a part', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { data: base } = await rig.send(operator, 'POST', '/admin/base-configs', {
      name: `Base ${crypto.randomUUID()}`,
      config: { firstMessage: 'Hello.', model: { messages: [{ role: 'system', content: 'Be kind.' }] } },
    })
    const user = await newUser(rig.app.database)
    const { data: built } = await rig.send(user, 'POST', '/v2/assistants', {
      name: 'Front desk',
      base_config_id: base.id,
    })
    const address = `/assistants/${built.assistant_id}`
    const stored = async () => (await rig.send(user, 'GET', address)).data
    const { page, complaints } = await rig.open(address, user)
    const greeting = page.getByRole('textbox', { name: 'Greeting' })
    await greeting.fill('Good morning.')
    await promptIn(page).fill('x'.repeat(100_001))
    await save(page)
    await page.getByText('The system_prompt field must have at most 100000 characters.').waitFor()
    expect((await stored()).first_message).toBe('Hello.')

    await promptIn(page).fill('Be brief.')
    await greeting.fill('Hello.')
    await page.getByRole('button', { name: 'Webhook' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('not an address')
    await save(page)
    await page.getByText('The metadata.webhook_url field must be a valid URL.').waitFor()
    expect((await stored()).model.messages[0].content).toBe('Be brief.')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect(await promptIn(page).inputValue()).toBe('Be brief.')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('run once, however often they are asked for meanwhile', async () => {
    const user = await newUser(rig.app.database)
    const { data: made } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    const { page, complaints } = await rig.open(`/assistants/${made.assistant_id}`, user)
    const { promise, resolve } = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/trpc/assistants.updateAdvanced*', async (route) => {
      sent += 1
      await promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/trpc/assistants.updateAdvanced*')
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Good morning.')
    const note = page.getByText('It talks as it is saved')
    await note.waitFor()
    for (const _ of [1, 2, 3]) await page.keyboard.press('Control+s')
    await asked
    await page.keyboard.press('Control+s')
    resolve()
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect(sent).toBe(1)
    await note.waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await page.close()
  })
})
