import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('the builder in the console', () => {
  const rig = consoleRig()

  test('shows which layer a setting is from and what has no value, and builds the assistant', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const name = `Clinic ${crypto.randomUUID().slice(0, 8)}`
    const { data: base } = await rig.send(operator, 'POST', '/admin/base-configs', {
      name: `Base of ${name}`,
      config: { voice: { provider: 'vapi', voiceId: 'Elliot' }, maxDurationSeconds: 600 },
    })
    await rig.send(operator, 'POST', '/admin/industry-templates', {
      name,
      base_config_id: base.id,
      prompt: 'You answer for {{company_name}}. Times: {{opening_hours}}.',
      custom_fields: [{ key: 'opening_hours', label: 'Opening hours', required: true }],
    })
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/build', user)
    await page.getByText('Choose an industry or a base').waitFor()
    await page.getByPlaceholder('None').first().click()
    await page.getByRole('option', { name, exact: true }).click()
    await page.getByText(/^variable_values\.opening_hours: /).waitFor()
    await page.getByRole('textbox', { name: 'Opening hours' }).fill('Monday to Friday')
    await page.getByRole('alert').getByText('{{company_name}}').waitFor()
    await page.getByRole('row', { name: /^Base maxDurationSeconds 600/ }).waitFor()
    await page.getByRole('row', { name: /^Industry model\.messages/ }).waitFor()
    await expectAccessible(page)

    await page.getByRole('textbox', { name: 'Company' }).fill('Harbour Dental')
    await page.getByText('Without a value').waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: 'Own greeting' }).fill('Hello from {{company_name}}!')
    await page.getByText('Hello from Harbour Dental!').waitFor()
    await page.getByRole('row', { name: /^Your own firstMessage/ }).waitFor()
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByText('Assistant name is required.').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Front desk')
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    const { data: made } = await rig.send(user, 'GET', '/v2/assistants')
    expect(made).toMatchObject([
      { name: 'Front desk', base_config_name: `Base of ${name}`, first_message: 'Hello from Harbour Dental!' },
    ])

    await page.getByRole('link', { name: 'Rebuild' }).click()
    await page.getByRole('heading', { name: 'Rebuild Front desk' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Own greeting' }).fill('Good day from {{company_name}}!')
    await page.getByText('Good day from Harbour Dental!').waitFor()
    await page.getByRole('button', { name: 'Rebuild assistant' }).click()
    await page.getByRole('tab', { name: 'History' }).waitFor()
    const { data: again } = await rig.send(user, 'GET', '/v2/assistants')
    expect(again).toMatchObject([
      { name: 'Front desk', base_config_name: `Base of ${name}`, first_message: 'Good day from Harbour Dental!' },
    ])
    expect(complaints).toEqual([])
    await page.close()
  })
})
