import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser, type TestUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('what others change while a form is open', () => {
  const rig = consoleRig()

  async function numberOf(user: TestUser, body: object) {
    const { data: offer } = await rig.send(user, 'GET', '/phone-numbers/available?area_code=415')
    const { data } = await rig.send(user, 'POST', '/phone-numbers', { phone_number: offer[0].phone_number })
    await rig.send(user, 'PUT', `/phone-numbers/${data.id}`, body)
    return { id: String(data.id), shown: String(data.phone_number) }
  }
  const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()

  test('a save of a number sends what was edited alone, and shows a SIP fallback', async () => {
    const user = await newUser(rig.app.database)
    const sip = { type: 'sip', sipUri: 'sip:desk@example.com', message: 'Please hold the line.' }
    const { id, shown } = await numberOf(user, { name: 'Main line', fallback_destination: sip })
    const { page, complaints } = await rig.open('/numbers', user)
    const edit = async () => {
      await page.getByRole('button', { name: shown }).click()
      return page.getByRole('dialog', { name: shown })
    }
    const drawer = await edit()
    const fallback = drawer.getByRole('textbox', { name: 'If nobody answers' })
    expect(await fallback.inputValue()).toBe('sip:desk@example.com')
    const { data: assistant } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    await rig.send(user, 'PUT', `/phone-numbers/${id}`, {
      voice_assistant_id: assistant.voice_assistant_id,
      server: { url: 'https://example.com/hooks' },
    })
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Front line')
    await save(page)
    await drawer.waitFor({ state: 'hidden' })
    expect((await rig.send(user, 'GET', `/phone-numbers/${id}`)).data).toMatchObject({
      name: 'Front line',
      voice_assistant_id: assistant.voice_assistant_id,
      server: { url: 'https://example.com/hooks' },
      fallback_destination: sip,
    })
    await page.getByText('Front line').waitFor()
    await edit()
    await fallback.fill('+14155550100')
    await save(page)
    await drawer.waitFor({ state: 'hidden' })
    const { data } = await rig.send(user, 'GET', `/phone-numbers/${id}`)
    expect(data.fallback_destination).toEqual({ type: 'number', number: '+14155550100', message: sip.message })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a save of an assistant keeps the name that others gave it, and what is typed while it runs', async () => {
    const user = await newUser(rig.app.database)
    const { data: made } = await rig.send(user, 'POST', '/assistants', {
      name: 'Front desk',
      model: { messages: [{ role: 'system', content: 'Be kind.' }] },
      variableValues: { town: 'Bristol', street: 'Harbour Road' },
    })
    const address = `/assistants/${made.assistant_id}`
    const { page, complaints } = await rig.open(address, user)
    const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
    const greeting = page.getByRole('textbox', { name: 'Greeting' })
    await prompt.fill('Be brief.')
    await page.getByRole('button', { name: 'Variables and plans (JSON)' }).click()
    const json = page.getByRole('textbox', { name: 'Everything else' })
    await json.fill((await json.inputValue()).replace('Bristol', 'Bath'))
    await rig.send(user, 'PUT', address, { name: 'Reception', variableValues: { street: 'Quay Street' } })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/trpc/assistants.updateAdvanced*', async (route) => {
      await promise
      await route.continue()
    })
    const sent = page.waitForRequest('**/trpc/assistants.updateAdvanced*')
    await save(page)
    await sent
    await greeting.fill('Good morning.')
    resolve()
    await page.getByText('Assistant updated successfully').waitFor()
    await page.getByRole('heading', { name: 'Reception' }).waitFor()
    await page.waitForTimeout(500)
    expect([await greeting.inputValue(), await prompt.inputValue()]).toEqual(['Good morning.', 'Be brief.'])
    const { data } = await rig.send(user, 'GET', address)
    expect([data.name, data.metadata.variable_values]).toEqual(['Reception', { town: 'Bath', street: 'Quay Street' }])
    await page.keyboard.press('Control+s')
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect((await rig.send(user, 'GET', address)).data).toMatchObject({
      name: 'Reception',
      first_message: 'Good morning.',
    })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a save of the widget, of an agent and of a user keeps what others changed', async () => {
    const user = await newUser(rig.app.database, { role: 'admin' })
    const { data: assistant } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    const embed = `/assistants/${assistant.assistant_id}/embed`
    const { page, complaints } = await rig.open(`/assistants/${assistant.assistant_id}?filter=website`, user)
    await page.getByRole('textbox', { name: 'Title' }).fill('Harbour Dental')
    await rig.send(user, 'PUT', embed, { embed_config: { theme: 'dark', cta_title: 'Ask us' } })
    await save(page)
    await page.getByText('The widget is saved.').waitFor()
    expect((await rig.send(user, 'GET', embed)).data.embed_config).toMatchObject({
      title: 'Harbour Dental',
      theme: 'dark',
      cta_title: 'Ask us',
    })

    const { data: agent } = await rig.send(user, 'POST', '/agents', { name: 'Guide', instructions: 'Be kind.' })
    await page.goto(`${rig.url}/console/agents/${agent.id}?filter=instructions`)
    await page.getByRole('textbox', { name: 'Description' }).fill('Answers questions.')
    await rig.send(user, 'PATCH', `/agents/${agent.id}`, { instructions: 'Be brief.' })
    await save(page)
    await page.getByText('The agent is saved.').waitFor()
    expect((await rig.send(user, 'GET', `/agents/${agent.id}`)).data).toMatchObject({
      description: 'Answers questions.',
      instructions: 'Be brief.',
    })

    const email = `${crypto.randomUUID()}@example.com`
    const { data: other } = await rig.send(user, 'POST', '/admin/users', { name: 'Nora', email })
    await page.goto(`${rig.url}/console/admin?filter=users&search=${email}`)
    await page.getByRole('cell', { name: email }).getByRole('button').click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora Field')
    await rig.send(user, 'PATCH', `/admin/users/${other.id}`, { workspace_role: 'viewer', assistant_quota: 3 })
    await save(page)
    await page.getByText('The user is saved.').waitFor()
    expect((await rig.send(user, 'GET', `/admin/users/${other.id}`)).data).toMatchObject({
      name: 'Nora Field',
      workspace_role: 'viewer',
      assistant_quota: 3,
    })
    expect(complaints).toEqual([])
    await page.close()
  })

  interface Edited {
    path: string
    /** The button that opens the form. */
    opens?: string
    /** What both change. */
    field: string
    others(): Promise<unknown>
    stored(): Promise<unknown>
  }

  /** Forms by what they edit. */
  const forms: Record<string, (user: TestUser) => Promise<Edited>> = {
    async widget(user) {
      const { data } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
      const embed = `/assistants/${data.assistant_id}/embed`
      return {
        path: `/assistants/${data.assistant_id}?filter=website`,
        field: 'Title',
        others: () => rig.send(user, 'PUT', embed, { embed_config: { title: 'Theirs' } }),
        stored: async () => (await rig.send(user, 'GET', embed)).data.embed_config.title,
      }
    },
    async number(user) {
      const { id, shown } = await numberOf(user, { name: 'Main line' })
      return {
        path: '/numbers',
        opens: shown,
        field: 'Name',
        others: () => rig.send(user, 'PUT', `/phone-numbers/${id}`, { name: 'Theirs' }),
        stored: async () => (await rig.send(user, 'GET', `/phone-numbers/${id}`)).data.name,
      }
    },
    async profile(user) {
      return {
        path: '/account',
        field: 'Company',
        others: () => rig.send(user, 'PUT', '/user', { name: 'Nora', company: 'Theirs' }),
        stored: async () => (await rig.send(user, 'GET', '/user')).data.company,
      }
    },
  }

  test.each(Object.entries(forms))('a save of the %s asks before it replaces what others changed', async (_, made) => {
    const user = await newUser(rig.app.database)
    const { path, opens, field, others, stored } = await made(user)
    const { page, complaints } = await rig.open(path, user)
    if (opens) await page.getByRole('button', { name: opens }).click()
    const input = page.getByRole('textbox', { name: field, exact: true })
    await input.fill('Mine')
    await others()
    await save(page)
    const asked = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' })
    await asked.locator('ins', { hasText: 'Theirs' }).waitFor()
    await asked.getByRole('button', { name: 'Back to the form' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect([await stored(), await input.inputValue()]).toEqual(['Theirs', 'Mine'])
    await save(page)
    await expect.poll(stored).toBe('Mine')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a save of a catalogue entry keeps what others changed, and asks where they changed the same', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const name = `Voice ${crypto.randomUUID()}`
    const { data: made } = await rig.send(operator, 'POST', '/admin/personalities', {
      name,
      voice: { provider: '11labs', voiceId: 'sarah', speed: 1, stability: 0.5 },
      prompt: 'Be kind.',
    })
    const address = `/admin/personalities/${made.id}`
    const stored = async () => (await rig.send(operator, 'GET', address)).data
    const { page, complaints } = await rig.open('/admin?filter=catalogue', operator)
    await page.getByText('Personalities', { exact: true }).last().click()
    const drawer = page.getByRole('dialog', { name: 'Personalities: change an entry' })
    const json = drawer.getByRole('textbox', { name: 'Entry' })
    const change = async (what: string, into: string) => json.fill((await json.inputValue()).replace(what, into))
    const save = () => drawer.getByRole('button', { name: 'Save entry' }).click()

    await page.getByRole('button', { name }).click()
    await change('"speed": 1', '"speed": 1.1, "style": 0.2')
    await rig.send(operator, 'PUT', address, { name, voice: { ...made.voice, stability: 0.7 }, prompt: 'Be brief.' })
    await save()
    await drawer.waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject({
      name,
      voice: { ...made.voice, speed: 1.1, style: 0.2, stability: 0.7 },
      prompt: 'Be brief.',
    })

    await page.getByRole('button', { name }).click()
    await expect.poll(() => json.inputValue()).toContain('Be brief.')
    await change('Be brief.', 'Be quick.')
    await rig.send(operator, 'PUT', address, { name: `${name} two`, voice: {}, prompt: 'Be slow.' })
    await save()
    const asked = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' })
    await asked.getByText('slow').waitFor()
    await asked.getByRole('button', { name: 'Back to the form' }).click()
    expect(await stored()).toMatchObject({ name: `${name} two`, voice: {}, prompt: 'Be slow.' })
    expect(JSON.parse(await json.inputValue())).toEqual({ name: `${name} two`, voice: {}, prompt: 'Be quick.' })
    await save()
    await drawer.waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject({ name: `${name} two`, voice: {}, prompt: 'Be quick.' })

    await page.getByRole('button', { name: `${name} two` }).click()
    await change(',\n  "prompt": "Be quick."', '')
    await save()
    await drawer.waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject({ name: `${name} two`, prompt: null })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what is typed stays where the screen cannot be read again, and where a message fails or another one is sent', async () => {
    const user = await newUser(rig.app.database)
    const { data: agent } = await rig.send(user, 'POST', '/agents', { name: 'Guide', instructions: 'Be kind.' })
    await rig.send(user, 'POST', `/agents/${agent.id}/chats`, {})
    const { page } = await rig.open(`/agents/${agent.id}`, user)
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('When do you open?')
    // What was read is stale after five seconds: then it is read again as the tab is looked at, and twice more.
    await page.waitForTimeout(5_500)
    let failed = 0
    page.on('requestfailed', (request) => {
      if (request.url().includes('messages.list')) failed += 1
    })
    const everything = /\/(trpc|health)/
    await page.route(everything, (route) => route.abort())
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => failed).toBe(3)
    await page.waitForTimeout(300)
    expect(await message.inputValue()).toBe('When do you open?')
    await message.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor()
    expect(await message.inputValue()).toBe('When do you open?')
    await page.unroute(everything)

    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/trpc/messages.send*', async (route) => {
      await promise
      await route.continue()
    })
    await message.press('Enter')
    await page.getByRole('status', { name: 'The agent answers' }).waitFor()
    await message.fill('And on Sunday?')
    resolve()
    await page.getByText(/tokens/).waitFor()
    expect(await message.inputValue()).toBe('And on Sunday?')
    await page.close()
  })
})
