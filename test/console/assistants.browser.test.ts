import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('the console', () => {
  const rig = consoleRig()

  test('creates an assistant, shows refused fields where they are, and saves only what changed', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/assistants', user)
    await page.getByRole('button', { name: 'New assistant' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Front desk')
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello from {{company_name}}')
    await page.getByRole('textbox', { name: 'Prompt' }).fill('You are kind.')
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    const assistantId = new URL(page.url()).pathname.split('/').at(-1)
    await expectAccessible(page)

    await page.getByRole('textbox', { name: 'Prompt' }).fill('You are kind and brief.')
    await page.getByRole('button', { name: 'Webhook' }).click()
    const address = page.getByRole('textbox', { name: 'Address' })
    await address.fill('not an address')
    await page.getByRole('button', { name: 'Webhook' }).click()
    await address.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The metadata.webhook_url field must be a valid URL.').waitFor()
    expect(await address.evaluate((node) => node === document.activeElement)).toBe(true)
    await address.fill('https://example.com/hooks')
    // Another editor's change of another field stays.
    await rig.send(user, 'PUT', `/assistants/${assistantId}`, { name: 'Front desk', voicemailMessage: 'Call us back.' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Assistant updated successfully').waitFor()
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    const { data } = await rig.send(user, 'GET', `/assistants/${assistantId}`)
    expect(data.model.messages).toEqual([{ role: 'system', content: 'You are kind and brief.' }])
    expect([data.webhook_url, data.voicemail_message]).toEqual(['https://example.com/hooks', 'Call us back.'])

    await page.getByRole('button', { name: 'Show the API calls of this screen' }).click()
    await page.getByText(`-X PUT '${rig.url}/assistants/${assistantId}/advanced'`).first().waitFor()
    expect(await page.getByRole('dialog').textContent()).not.toContain(user.token)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('keeps what was typed when the token ends, and goes on with another', async () => {
    const user = await newUser(rig.app.database)
    const created = await rig.send(user, 'POST', '/user/tokens', { name: 'ends' })
    const { data } = await rig.send(user, 'POST', '/assistants', { name: 'Night desk' })
    const { page } = await rig.open(`/assistants/${data.assistant_id}`, created.data)
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Typed before the end')
    await rig.send(user, 'DELETE', `/user/tokens/${created.data.id}`)
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Token', { exact: true }).fill(user.token)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByRole('textbox', { name: 'Greeting' }).inputValue()).toBe('Typed before the end')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Assistant updated successfully').waitFor()
    await page.close()
  })

  test('drops what a user typed whose token ended when another one signs in over it', async () => {
    const [user, other] = [await newUser(rig.app.database), await newUser(rig.app.database)]
    const created = await rig.send(user, 'POST', '/user/tokens', { name: 'ends' })
    await rig.send(user, 'POST', '/assistants', { name: 'Secret desk' })
    const { page } = await rig.open('/assistants', created.data)
    await page.getByText('Secret desk').first().waitFor()
    await page.getByRole('button', { name: 'New assistant' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed before the end')
    await rig.send(user, 'DELETE', `/user/tokens/${created.data.id}`)
    await page.getByRole('button', { name: 'Create assistant' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('Token', { exact: true }).fill(other.token)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'hidden' })
    // The address still asks for the dialog: it is another one.
    const name = page.getByRole('dialog', { name: 'New assistant' }).getByRole('textbox', { name: 'Name', exact: true })
    await expect.poll(() => name.inputValue()).toBe('')
    expect(await page.getByText('Secret desk').count()).toBe(0)
    await page.close()
  })

  test('stays signed in when a former token is refused late', async () => {
    const user = await newUser(rig.app.database)
    const created = await rig.send(user, 'POST', '/user/tokens', { name: 'ends' })
    const { page } = await rig.open('/assistants', created.data)
    await page.getByRole('button', { name: 'New assistant' }).first().waitFor()
    await rig.send(user, 'DELETE', `/user/tokens/${created.data.id}`)
    const late = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    await page.route('**/trpc/squads.**', async (route) => {
      if (!route.request().headers().authorization?.includes(created.data.token)) return route.continue()
      held.resolve()
      await late.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Squads' }).first().click()
    await held.promise
    await page.getByRole('link', { name: 'Agents' }).first().click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('Token', { exact: true }).fill(user.token)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'hidden' })
    const refused = page.waitForResponse((response) => response.status() === 401)
    late.resolve()
    await refused
    await page.getByRole('button', { name: 'New agent' }).first().waitFor()
    await page.waitForTimeout(300)
    expect(await again.count()).toBe(0)
    await page.close()
  })

  test('shows a viewer no write, and another tenant nothing', async () => {
    const owner = await newUser(rig.app.database)
    const viewer = await newUser(rig.app.database, { workspaceId: owner.workspaceId, workspaceRole: 'viewer' })
    const { data } = await rig.send(owner, 'POST', '/assistants', { name: 'Private desk' })
    const looking = await rig.open(`/assistants/${data.assistant_id}`, viewer)
    await looking.page.getByText('You may look at this assistant').waitFor()
    expect(await looking.page.getByRole('button', { name: /Delete|Save/ }).count()).toBe(0)
    expect(await looking.page.getByRole('textbox', { name: 'Greeting' }).isDisabled()).toBe(true)
    await looking.page.getByRole('button', { name: 'Webhook' }).click()
    const address = looking.page.getByRole('textbox', { name: 'Address' })
    await address.waitFor()
    expect(await address.isDisabled()).toBe(true)
    await looking.page.goto(`${rig.url}/console/assistants`)
    await looking.page.getByText('Private desk').waitFor()
    expect(await looking.page.getByRole('button', { name: 'New assistant' }).count()).toBe(0)
    await looking.page.close()

    const stranger = await newUser(rig.app.database)
    const { page } = await rig.open(`/assistants/${data.assistant_id}`, stranger)
    await page.getByText('This address leads nowhere').waitFor()
    expect(await page.getByText('Private desk').count()).toBe(0)
    await page.close()
  })

  test('shows a token what its scopes let it do, and no more', async () => {
    const user = await newUser(rig.app.database)
    const { data } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    const made = await rig.send(user, 'POST', '/user/tokens', {
      name: 'report',
      scopes: ['account:read', 'assistants:read'],
    })
    const { page, complaints } = await rig.open(`/assistants/${data.assistant_id}`, made.data)
    await page.getByText('You may look at this assistant').waitFor()
    expect(await page.getByRole('button', { name: /Delete|Save/ }).count()).toBe(0)
    const sections = page.getByRole('navigation').getByRole('link')
    expect(await sections.allTextContents()).toEqual(['Home', 'Assistants', 'Build', 'Webhooks', 'Differences'])
    expect(complaints).toEqual([])
    await page.close()
  })
})
