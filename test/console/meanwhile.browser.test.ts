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
})
