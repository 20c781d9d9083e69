import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newTokenFor, newUser, type TestUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)("a user's own account in the console", () => {
  const rig = consoleRig()

  /** Chooses an item of the account menu. */
  async function fromMenu(page: Page, item: string) {
    await page.getByRole('button', { name: /^Account of / }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const revoke = async (page: Page, name: string) => {
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await page
      .getByRole('dialog', { name: `Revoke ${name}?` })
      .getByRole('button', { name: 'Revoke token' })
      .click()
  }
  const tokensOf = async (user: Pick<TestUser, 'token'>): Promise<{ id: number; name: string }[]> =>
    (await rig.send(user, 'GET', '/user/tokens?per_page=100')).data

  test('a viewer makes a token, limits it, revokes it, and then the one that is signed in', async () => {
    const viewer = await newUser(rig.app.database, { workspaceRole: 'viewer' })
    const { page, complaints } = await rig.open('/', viewer)
    await fromMenu(page, 'Tokens')
    const [mine] = await tokensOf(viewer)
    await row(page, mine?.name ?? '')
      .getByText('signed in')
      .waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('The name field is required.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
    await dialog.getByLabel('May do').first().click()
    await page.getByRole('option', { name: 'Agents: read and change' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Ends').fill('2999-01-01')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Laptop signs in with this token').waitFor()
    await dialog.getByRole('button', { name: 'Copy the token' }).waitFor()
    const token = (await dialog.locator('code').textContent()) ?? ''
    const { data: access } = await rig.send({ token }, 'GET', '/user/access').catch((error: Error) => ({ data: error }))
    expect(String(access)).toContain('403')
    const [made] = await tokensOf(viewer)
    expect(made).toMatchObject({ name: 'Laptop', scopes: ['ai_chat:write'], expires_at: '2999-01-01T00:00:00.000Z' })
    await page.keyboard.press('Escape')
    await page.waitForTimeout(300)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByText(token).count()).toBe(0)
    await row(page, 'Laptop').getByText('Agents: read and change').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Laptop', exact: true }).click()
    const budget = page.getByRole('dialog', { name: 'Budget of Laptop' })
    await budget.getByText('There is no limit.').waitFor()
    await budget.getByRole('button', { name: 'Save budget' }).click()
    await budget.getByText('Name a limit in money, in tokens or in both.').waitFor()
    await budget.getByRole('textbox', { name: 'US dollars at most' }).fill('1.250,50')
    await budget.getByRole('button', { name: 'Save budget' }).click()
    await budget.getByText('Write it with digits and at most one point').waitFor()
    await budget.getByRole('textbox', { name: 'US dollars at most' }).fill('12.50')
    await budget.getByRole('button', { name: 'Save budget' }).click()
    await budget.getByText('$0.00 of $12.50 a day').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await row(page, 'Laptop').getByText('$0.00 of $12.50 a day').waitFor()

    await revoke(page, 'Laptop')
    await row(page, 'Laptop').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: mine?.name, exact: true }).click()
    await page.getByText('none sets its own budget').waitFor()
    expect(await page.getByRole('button', { name: 'Save budget' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await revoke(page, mine?.name ?? '')
    await page.getByLabel('Token', { exact: true }).waitFor()
    expect((await rig.app.send('GET', '/user', { token: viewer.token })).status).toBe(401)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a token that may only read is shown tokens and budgets, and nothing that changes them', async () => {
    const user = await newUser(rig.app.database)
    const [mine] = await tokensOf(user)
    const limited = { token: await newTokenFor(rig.app.database, user.userId, undefined, ['account:read']) }
    await rig.send(user, 'POST', '/user/tokens', { name: 'Laptop' })
    const { page, complaints } = await rig.open('/account?filter=tokens', limited)
    await page.getByText('signed in', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^(New token|Revoke )/ }).count()).toBe(0)
    await page.getByRole('button', { name: mine?.name, exact: true }).last().click()
    await page.getByRole('dialog').getByText('There is no limit.').waitFor()
    expect(await page.getByRole('button', { name: 'Save budget' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a token gives away no more than it has', async () => {
    const user = await newUser(rig.app.database)
    const limited = { token: await newTokenFor(rig.app.database, user.userId, undefined, ['account:write', 'read']) }
    const { page, complaints } = await rig.open('/account?filter=tokens', limited)
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('May do').first().click()
    const offered = await page.getByRole('option').allTextContents()
    expect(offered).toContain('Everything: read')
    expect(offered.filter((label) => label.endsWith('change'))).toEqual(['Account: read and change'])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a profile is changed field by field, and its picture set and removed', async () => {
    const user = await newUser(rig.app.database, { workspaceRole: 'viewer' })
    await rig.send(user, 'PUT', '/user', { name: 'Nora Field', company: 'Harbour Dental', bio: 'Answers the phones.' })
    const { page, complaints } = await rig.open('/', user)
    await fromMenu(page, 'Profile')
    const bio = page.getByRole('textbox', { name: 'About you' })
    await expect.poll(() => bio.inputValue()).toBe('Answers the phones.')
    await expectAccessible(page)
    await rig.send(user, 'PUT', '/user', { name: 'Nora Field', phone: '+14155550100' })
    await bio.fill('')
    await page.getByRole('textbox', { name: 'Company' }).fill('x'.repeat(256))
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(/^The company field/).waitFor()
    await page.getByRole('textbox', { name: 'Company' }).fill('Field & Sons')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Your profile is saved.').waitFor()
    const { data } = await rig.send(user, 'GET', '/user')
    expect(data).toMatchObject({ name: 'Nora Field', company: 'Field & Sons', bio: null, phone: '+14155550100' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Nora Hill')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Account of Nora Hill' }).waitFor()

    const file = page.locator('input[type=file]')
    await file.setInputFiles([{ name: 'me.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') }])
    await page.getByText('must be an image of type').waitFor()
    const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
    await file.setInputFiles([{ name: 'me.gif', mimeType: 'image/gif', buffer: gif }])
    await page.getByText('Your picture is saved.').waitFor()
    expect((await rig.send(user, 'GET', '/user')).data).toMatchObject({
      name: 'Nora Hill',
      profile_picture: expect.stringMatching(/\.gif$/),
    })
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Your picture is removed.').waitFor()
    expect((await rig.send(user, 'GET', '/user')).data.profile_picture).toBeNull()
    expect(complaints).toEqual([])
    await page.close()
  })
})
