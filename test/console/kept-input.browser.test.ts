import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('what is typed in the console', () => {
  const rig = consoleRig()

  test('keeps what somebody else saved of an agent, and asks where both changed the same', async () => {
    const user = await newUser(rig.app.database)
    const { id } = (await rig.send(user, 'POST', '/agents', { name: 'Guide', instructions: 'One.' })).data
    const { page, complaints } = await rig.open(`/agents/${id}?filter=instructions`, user)
    const instructions = page.getByRole('textbox', { name: 'Instructions' })
    const stored = async () => (await rig.send(user, 'GET', `/agents/${id}`)).data
    const save = () => page.getByRole('button', { name: 'Save changes' }).click()

    await instructions.fill('One. Two.')
    await rig.send(user, 'PATCH', `/agents/${id}`, { description: 'Knows the way' })
    await save()
    await page.getByText('The agent is saved.').waitFor()
    expect(await stored()).toMatchObject({ description: 'Knows the way', instructions: 'One. Two.' })

    await instructions.fill('One. Mine.')
    await rig.send(user, 'PATCH', `/agents/${id}`, { instructions: 'One. Theirs.' })
    await save()
    const asked = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' })
    await asked.getByText('Theirs', { exact: true }).waitFor()
    expect((await stored()).instructions).toBe('One. Theirs.')
    expect(await instructions.inputValue()).toBe('One. Mine.')
    await asked.getByRole('button', { name: 'Save mine' }).click()
    await expect.poll(async () => (await stored()).instructions).toBe('One. Mine.')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('is not lost with a dialog, a drawer or by signing out unasked', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { page, complaints } = await rig.open('/agents', operator)
    let asked = 0
    let mayGo = false
    page.on('dialog', async (dialog) => {
      asked += 1
      await (mayGo ? dialog.accept() : dialog.dismiss())
    })
    await page.getByRole('button', { name: 'New agent' }).first().click()
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
    await name.fill('Night desk')
    await page.keyboard.press('Escape')
    await expect.poll(() => asked).toBe(1)
    expect(await name.inputValue()).toBe('Night desk')
    mayGo = true
    await page.keyboard.press('Escape')
    await name.waitFor({ state: 'hidden' })

    await page.goto(`${rig.url}/console/account?filter=profile`)
    await page.getByRole('textbox', { name: 'Company' }).fill('Harbour')
    mayGo = false
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect.poll(() => asked).toBe(3)
    expect(await page.getByRole('textbox', { name: 'Company' }).inputValue()).toBe('Harbour')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('in a chat is changed where one types, and forgotten with who signs out', async () => {
    const user = await newUser(rig.app.database)
    const { id } = (await rig.send(user, 'POST', '/agents', { name: 'Guide' })).data
    await rig.send(user, 'POST', `/agents/${id}/chats`, {})
    const { page, complaints } = await rig.open(`/agents/${id}`, user)
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('Where I park?')
    await message.press('Home')
    for (let step = 0; step < 'Where '.length; step += 1) await message.press('ArrowRight')
    await message.pressSequentially('do ')
    expect(await message.inputValue()).toBe('Where do I park?')

    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Token', { exact: true }).fill(user.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await message.waitFor()
    expect(await message.inputValue()).toBe('')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('stays where Escape closes the question over a drawer', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { page, complaints } = await rig.open('/admin', operator)
    await page.getByRole('table').getByRole('button').first().click()
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Typed')
    await page.getByRole('switch', { name: /^Suspended/ }).click()
    const question = page.getByRole('dialog', { name: /^Suspend / })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(await name.inputValue()).toBe('Typed')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('of a prompt of the catalogue has lines', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const name = `Prompt ${crypto.randomUUID()}`
    const { data } = await rig.send(operator, 'POST', '/admin/prompt-templates', { name, prompt: 'You answer.' })
    const { page, complaints } = await rig.open('/admin?filter=catalogue', operator)
    await page.getByRole('button', { name }).click()
    await page.getByRole('textbox', { name: 'Prompt' }).fill('You answer.\nYou are brief.')
    await page.getByRole('button', { name: 'Save entry' }).click()
    await page.getByText('The catalogue is saved.').waitFor()
    const stored = (await rig.send(operator, 'GET', `/admin/prompt-templates/${data.id}`)).data
    expect(stored.prompt).toBe('You answer.\nYou are brief.')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('of a new user makes one user, and its token at the next try', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { page } = await rig.open('/admin', operator)
    await page.route('**/trpc/admin.tokens.create*', (route) => route.fulfill({ status: 429, json: {} }))
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora Field')
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill(`${crypto.randomUUID()}@example.com`)
    await page.getByRole('button', { name: 'Create user and token' }).click()
    await page.getByText('Nora Field is made, and has no token yet').waitFor()
    await page.unroute('**/trpc/admin.tokens.create*')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Nora Field can sign in with this token').waitFor()
    await page.close()
  })
})
