import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('operators in the console', () => {
  const rig = consoleRig()

  test('an operator makes a user, who signs in; credits its workspace; and reads who did what', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { page, complaints } = await rig.open('/admin', operator)
    const email = `${crypto.randomUUID()}@example.com`
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora Field')
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill(email)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create user and token' }).click()
    await page.getByText('Nora Field can sign in with this token').waitFor()
    const token = await page.getByRole('dialog').locator('code').textContent()
    await page.getByRole('button', { name: 'Done' }).click()
    const { data: access } = await rig.send({ token: token ?? '' }, 'GET', '/user/access')
    expect(access.user.name).toBe('Nora Field')
    await page.getByRole('textbox', { name: 'Search by name or e-mail address' }).fill(email)
    await page.getByRole('cell', { name: email }).waitFor()
    await expectAccessible(page)

    await rig.send(operator, 'PATCH', `/admin/workspaces/${access.workspace.id}`, { billing: 'usd' })
    await page.getByRole('tab', { name: 'Workspaces' }).click()
    await page.getByRole('table').waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Catalogue' }).click()
    await page.getByRole('button', { name: 'New entry' }).waitFor()
    await page
      .getByRole('radio', { name: 'Prices' })
      .or(page.getByText('Prices', { exact: true }))
      .last()
      .click()
    await page.getByRole('button', { name: 'New entry' }).click()
    await page.getByRole('button', { name: 'Save entry' }).click()
    await page.getByText('model: The model field is required.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('table').getByRole('button').first().click()
    await page.getByRole('dialog').getByText('billing').first().waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('usage shows the balance, and nobody else is shown the administration', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const user = await newUser(rig.app.database)
    await rig.send(operator, 'PATCH', `/admin/workspaces/${user.workspaceId}`, {
      billing: 'usd',
      owner_id: user.userId,
    })
    await rig.send(operator, 'POST', `/admin/workspaces/${user.workspaceId}/credits`, {
      payment_id: crypto.randomUUID(),
      amount_usd: 25,
    })
    const { page, complaints } = await rig.open('/usage', user)
    await page.getByText('$25.00').first().waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await page.goto(`${rig.url}/console/admin`)
    await page.getByText('This address leads nowhere').waitFor()
    await page.goto(`${rig.url}/console/`)
    await page.getByText('What to set up').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search screens and names').fill('Usage')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
