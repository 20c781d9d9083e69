import { describe, expect, test } from 'vitest'
import { newUser, type TestUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('what others do on the voice platform, in the console', () => {
  const rig = consoleRig()

  /** An assistant whose greeting was changed on the platform's own dashboard. */
  async function changedOutside(user: TestUser, name: string) {
    const { data } = await rig.send(user, 'POST', '/assistants', { name, firstMessage: 'Hello from us' })
    await rig.app.services.platform.assistants.update(data.voice_assistant_id, { firstMessage: 'Hello from there' })
    return String(data.assistant_id)
  }
  const sweep = async () => {
    await rig.app.services.drift.request()
    await rig.app.services.drift.sweepNow()
  }

  test('a difference is shown value by value, and ends as is chosen: from the list and on the page', async () => {
    const user = await newUser(rig.app.database)
    const [first, second] = [await changedOutside(user, 'Front desk'), await changedOutside(user, 'Night desk')]
    await sweep()
    const { page, complaints } = await rig.open('/drift', user)
    await page.getByRole('button', { name: 'Front desk' }).click()
    const details = page.getByRole('dialog')
    await details.getByText('Hello from us').waitFor()
    await details.getByText('Hello from there').waitFor()
    await expectAccessible(page)
    await details.getByRole('button', { name: 'Keep theirs' }).click()
    await page.getByRole('dialog', { name: 'Keep theirs?' }).getByRole('button', { name: 'Keep theirs' }).click()
    await page.getByRole('button', { name: 'Front desk' }).waitFor({ state: 'hidden' })
    expect((await rig.send(user, 'GET', `/assistants/${first}`)).data.first_message).toBe('Hello from there')
    await expectAccessible(page)

    await page.goto(`${rig.url}/console/assistants/${second}`)
    await page.getByText('It was changed on the voice platform').waitFor()
    await page.getByRole('button', { name: 'Show the difference' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep ours' }).click()
    await page.getByRole('dialog', { name: 'Keep ours?' }).getByRole('button', { name: 'Keep ours' }).click()
    await page.getByText('It was changed on the voice platform').waitFor({ state: 'hidden' })
    const { data: kept } = await rig.send(user, 'GET', `/assistants/${second}`)
    const live = await rig.app.services.platform.assistants.get(kept.voice_assistant_id)
    expect([kept.first_message, live.firstMessage]).toEqual(['Hello from us', 'Hello from us'])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what was made there is tried, imported, and then has a record', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const made = await rig.app.services.platform.assistants.create({ name: 'Made there', firstMessage: 'Hi' })
    await rig.app.services.platform.assistants.create({ name: 'Left there', firstMessage: 'Hi' })
    const { page, complaints } = await rig.open('/admin?filter=imports', operator)
    await page.getByRole('checkbox', { name: 'Choose Made there' }).check()
    await page.getByRole('button', { name: 'Try with 1' }).click()
    await page.getByText('What would happen').waitFor()
    await page.getByText('1 would be imported, 0 not').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import 1' }).click()
    await page.getByText('The import runs').waitFor()
    await rig.app.services.adoptions.work.run()
    await page.getByText('The import is finished').waitFor()
    await page.getByText('1 of 1 imported, 0 refused').waitFor()
    await page.getByRole('checkbox', { name: 'Choose Made there' }).waitFor({ state: 'hidden' })
    await page.getByRole('checkbox', { name: 'Choose Left there' }).waitFor()
    const { data } = await rig.send(operator, 'GET', '/assistants?search=Made')
    expect(data).toMatchObject([{ name: 'Made there', voice_assistant_id: made.id }])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('operators see the version, the upgrade and every kind of background work', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { page, complaints } = await rig.open('/admin?filter=system', operator)
    await page.getByText('Background work', { exact: true }).waitFor()
    const { data } = await rig.send(operator, 'GET', '/admin/installation')
    for (const { name } of data.work) {
      const shown = name.charAt(0).toUpperCase() + name.slice(1)
      await page.getByRole('cell', { name: shown, exact: false }).first().waitFor()
    }
    await page.getByText(data.version, { exact: true }).waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.close()
  })
})
