import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('an assistant that is built again in the console', () => {
  const rig = consoleRig()

  test('an emptied answer is cleared alone, and answers to another industry are not sent', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { data: base } = await rig.send(operator, 'POST', '/admin/base-configs', {
      name: `Base ${crypto.randomUUID()}`,
      config: { firstMessage: 'Hello.' },
    })
    const industry = async (key: string, label: string) => {
      const name = `${label} ${crypto.randomUUID().slice(0, 8)}`
      const custom_fields = [{ key, label, required: false }]
      const body = { name, base_config_id: base.id, prompt: `We answer. {{${key}}} {{town}}`, custom_fields }
      const { data } = await rig.send(operator, 'POST', '/admin/industry-templates', body)
      return { id: data.id, name }
    }
    const [clinic, shop] = [await industry('clinic_hours', 'Clinic hours'), await industry('shop_hours', 'Shop hours')]
    const user = await newUser(rig.app.database)
    const { data: built } = await rig.send(user, 'POST', '/v2/assistants', {
      name: 'Front desk',
      industry_template_id: clinic.id,
      metadata: { company_name: 'Harbour Dental', location: 'Bristol' },
      server_url: `${rig.url}/hooks`,
      variable_values: { clinic_hours: 'Monday', town: 'Bristol', kept: 'as it is' },
    })
    const { page, complaints } = await rig.open(`/build?search=${built.assistant_id}`, user)
    await page.getByRole('textbox', { name: 'Company' }).fill('')
    await page.getByRole('textbox', { name: 'Town' }).fill('')
    await page.getByRole('textbox', { name: 'Clinic hours' }).fill('Tuesday')
    await page.getByPlaceholder('None').first().click()
    await page.getByRole('option', { name: shop.name, exact: true }).click()
    await page.getByRole('textbox', { name: 'Shop hours' }).fill('Friday')
    const asked = page.waitForRequest((request) => request.url().includes('assistantBuilder.update'))
    await page.getByRole('button', { name: 'Rebuild assistant' }).click()
    const [body] = Object.values((await asked).postDataJSON())
    expect(body).toEqual({
      assistantId: built.assistant_id,
      industry_template_id: shop.id,
      metadata: { company_name: null },
      variable_values: { town: null, shop_hours: 'Friday' },
    })
    await page.getByRole('tab', { name: 'History' }).waitFor()
    const { data } = await rig.send(user, 'GET', `/assistants/${built.assistant_id}`)
    expect([data.metadata.company_name ?? null, data.metadata.location, data.webhook_url]).toEqual([
      null,
      'Bristol',
      `${rig.url}/hooks`,
    ])
    expect(data.metadata.variable_values).toEqual({ clinic_hours: 'Monday', kept: 'as it is', shop_hours: 'Friday' })
    expect(complaints).toEqual([])
    await page.close()
  })
})
