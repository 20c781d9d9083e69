import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('numbers and squads in the console', () => {
  const rig = consoleRig()

  test('a squad is drawn and published', async () => {
    const user = await newUser(rig.app.database)
    for (const name of ['Front desk', 'Billing']) await rig.send(user, 'POST', '/assistants', { name })
    const { page, complaints } = await rig.open('/squads', user)
    await page.getByRole('button', { name: 'New squad' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Reception')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'Reception' }).waitFor()
    for (const name of ['Front desk', 'Billing']) {
      await page.getByPlaceholder('Choose one').click()
      await page.getByRole('option', { name }).click()
    }
    const source = page.locator('.react-flow__node', { hasText: 'Front desk' }).locator('.react-flow__handle.source')
    const target = page.locator('.react-flow__node', { hasText: 'Billing' }).locator('.react-flow__handle.target')
    await source.dragTo(target, { force: true })
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The squad is published.').waitFor()
    await page.getByText('published', { exact: true }).waitFor()
    const { data: squads } = await rig.send(user, 'GET', '/squads')
    expect(squads).toMatchObject([{ status: 'published', entryAssistantName: 'Front desk', memberCount: 2 }])
    expect(squads[0].members[0].assistantDestinations).toMatchObject([{ assistantName: 'Billing' }])
    expect(complaints).toEqual([])
    await page.close()
  })
})
