import { describe, expect, test } from 'vitest'
import { formatUsd } from '../../src/console/parts/format.ts'
import { catalogueRouters } from '../../src/resources/catalogue/router.ts'
import { driftKinds } from '../../src/resources/drift/schema.ts'
import { newUser, type TestUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { addMonthOfCharges } from '../support/rows/charges.ts'
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

    const workspace = `Practice ${crypto.randomUUID()}`
    const address = `/admin/workspaces/${access.workspace.id}`
    await rig.send(operator, 'PATCH', address, { billing: 'usd', name: workspace })
    await page.getByRole('tab', { name: 'Workspaces' }).click()
    await page.getByRole('textbox', { name: 'Search by name' }).fill(workspace)
    const label = `What ${workspace} is billed in`
    const billing = page
      .getByRole('combobox', { name: label })
      .or(page.getByRole('textbox', { name: label }))
      .first()
    await billing.waitFor()
    await expectAccessible(page)
    // What was chosen is shown before the server has answered.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/trpc/**', async (route) => {
      if (route.request().method() === 'POST') await answered
      await route.continue()
    })
    await billing.click()
    await page.getByRole('option', { name: 'Tokens' }).click()
    expect((await rig.send(operator, 'GET', address)).data.billing).toBe('usd')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Change billing' }).click()
    await expect.poll(() => billing.inputValue()).toBe('Tokens')
    expect((await rig.send(operator, 'GET', address)).data.billing).toBe('usd')
    answer()
    await expect.poll(async () => (await rig.send(operator, 'GET', address)).data.billing).toBe('tokens')
    await page.unroute('**/trpc/**')
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

  test('a user is suspended after a question, and let in again without one', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const user = await newUser(rig.app.database)
    const { name, email } = (await rig.send(user, 'GET', '/user/access')).data.user
    const statusOf = async () => (await rig.send(operator, 'GET', `/admin/users/${user.userId}`)).data.status
    const { page, complaints } = await rig.open(`/admin?filter=users&search=${encodeURIComponent(email)}`, operator)
    const suspended = page.getByRole('switch', { name: 'Suspended: its tokens are refused' })
    const asked = page.getByRole('dialog', { name: `Suspend ${name}?` })
    const open = async () => {
      await page.getByRole('button', { name, exact: true }).click()
      await suspended.click({ force: true })
    }
    await open()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect([await suspended.isChecked(), await statusOf()]).toEqual([false, 'active'])
    await suspended.click({ force: true })
    await expectAccessible(page)
    await asked.getByRole('button', { name: 'Suspend user' }).click()
    await page.getByText('suspended', { exact: true }).waitFor()
    expect(await statusOf()).toBe('suspended')
    await suspended.waitFor({ state: 'hidden' })
    await open()
    await expect.poll(statusOf).toBe('active')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a name that is refused stays to be mended', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { page, complaints } = await rig.open('/admin?filter=resellers', operator)
    await page.getByRole('button', { name: 'New reseller' }).click()
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
    const create = page.getByRole('button', { name: 'Create reseller' })
    await name.fill('x'.repeat(256))
    await create.click()
    await page.getByRole('dialog').getByText('255').waitFor()
    expect(await name.inputValue()).toHaveLength(256)
    const right = `Field ${crypto.randomUUID()}`
    await name.fill(right)
    await create.click()
    await page.getByRole('cell', { name: right }).waitFor()
    await name.waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the audit trail is filtered by every kind that it has', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const preset = { key: crypto.randomUUID(), name: 'Calm', overrides: {} }
    const made = [
      { label: 'Prompts', kind: 'prompt-templates', body: { name: 'Greeting', prompt: 'Be brief.' } },
      { label: 'Presets', kind: 'layer2-presets', body: preset },
    ]
    const { page, complaints } = await rig.open('/admin?filter=audit', operator)
    const subject = page.getByLabel('Subject').first()
    for (const { label, kind, body } of made) {
      const { data } = await rig.send(operator, 'POST', `/admin/${kind}`, body)
      await subject.click()
      await subject.fill('')
      const catalogue = Object.keys(catalogueRouters).length
      await expect.poll(() => page.getByRole('option').count()).toBe(4 + catalogue + driftKinds.length)
      await page.getByRole('option', { name: label, exact: true }).click()
      await page.getByRole('cell', { name: `${kind} ${data.id}`, exact: true }).waitFor()
    }
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.close()
  })

  /** Every charge of the workspace's ledger, which is one page long. */
  async function chargesOf(user: TestUser) {
    const { data, has_more } = await rig.send(user, 'GET', '/usage/ledger?per_page=100')
    expect(has_more).toBe(false)
    const charges: { kind: string; amount_usd: number; model: string }[] = data
    return charges.filter(({ kind }) => kind === 'charge')
  }

  test('usage shows the balance and what was spent, which is what the ledger says, and nobody else is shown the administration', async () => {
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

    await addMonthOfCharges(rig.app.services, user.workspaceId)
    const charges = await chargesOf(user)
    const sum = (rows: typeof charges) => rows.reduce((total, { amount_usd }) => total - amount_usd, 0)
    await page.reload()
    await page.getByText(`${formatUsd(sum(charges))} in all`).waitFor()
    const models = new Set(charges.map(({ model }) => model))
    expect(models.size).toBe(2)
    for (const model of models) {
      const rows = charges.filter((row) => row.model === model)
      await page.getByRole('row', { name: `${model} ${rows.length} ${formatUsd(sum(rows))}`, exact: true }).waitFor()
    }
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
