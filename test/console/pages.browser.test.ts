import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('the pages of a list in the console', () => {
  const rig = consoleRig()

  test('lead to one that is there where the one of the address is none', async () => {
    const user = await newUser(rig.app.database)
    await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    await rig.send(user, 'POST', '/agents', { name: 'Guide', instructions: 'Be kind.' })
    const { page, complaints } = await rig.open('/assistants?page=9999', user)
    await page.getByRole('link', { name: 'Front desk' }).waitFor()
    await page.waitForURL((url) => !url.search.includes('9999'))
    await page.goto(`${rig.url}/console/agents?page=50`)
    await page.getByRole('link', { name: 'Guide' }).waitFor()
    await page.goto(`${rig.url}/console/squads?page=2`)
    await page.getByText('No squad yet').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('go back by one when the last row of the last one goes', async () => {
    const user = await newUser(rig.app.database)
    const { data: offer } = await rig.send(user, 'GET', '/phone-numbers/available?area_code=415')
    const numbers: string[] = offer.map(({ phone_number }: { phone_number: string }) => phone_number).slice(0, 16)
    expect(numbers).toHaveLength(16)
    for (const phone_number of numbers) await rig.send(user, 'POST', '/phone-numbers', { phone_number })
    const { page, complaints } = await rig.open('/numbers?page=2', user)
    await page.getByRole('table').getByRole('button').first().click()
    await page.getByRole('button', { name: 'Release', exact: true }).click()
    await page.getByRole('button', { name: 'Release the number' }).click()
    await expect.poll(() => page.getByRole('table').getByRole('button').count()).toBe(15)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('are in the address of a history', async () => {
    const user = await newUser(rig.app.database)
    const { data: made } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    const saves = Array.from({ length: 16 }, (_, index) => ({ name: 'Front desk', firstMessage: `Hello ${index}.` }))
    for (const save of saves) await rig.send(user, 'PUT', `/assistants/${made.assistant_id}`, save)
    const { page, complaints } = await rig.open(`/assistants/${made.assistant_id}?filter=history`, user)
    await page.getByRole('button', { name: 'next page' }).click()
    await page.waitForURL('**?filter=history&page=2')
    await page.reload()
    await page.getByText('created it').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
