import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { rememberAll } from '../support/rows/chats.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('agents in the console', () => {
  const rig = consoleRig()

  test('an agent is made, given a file, asked, and searched', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/agents', user)
    await page.getByText('No agent yet').waitFor()
    await page.getByRole('button', { name: 'New agent' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Practice guide')
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('heading', { name: 'Practice guide' }).waitFor()

    await page.getByRole('tab', { name: 'Files' }).click()
    await page.locator('input[type=file]').setInputFiles([
      {
        name: 'hours.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('We are open on Saturday from 10:00 to 13:00.'),
      },
    ])
    await page.getByRole('cell', { name: 'hours.md', exact: true }).waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') }])
    await page.getByText(/tool\.exe: /).waitFor()
    await page.getByRole('textbox', { name: 'Question' }).fill('When are you open on Saturday?')
    await page.locator('.passage', { hasText: 'Saturday from 10:00' }).waitFor()
    await expectAccessible(page)

    await page.getByRole('tab', { name: 'Chat' }).click()
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('When are you open on Saturday?')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('10:00 to 13:00').waitFor()
    await page.getByText(/local-extractive · \d+ tokens/).waitFor()
    await expectAccessible(page)

    await page.getByRole('tab', { name: 'Instructions' }).click()
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Be brief.')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The agent is saved.').waitFor()
    await expectAccessible(page)

    await rememberAll(rig.app.database, user, '- [2026-03-01] Prefers short answers.')
    await page.reload()
    await page.getByRole('button', { name: 'Forget: Prefers short answers.' }).click()
    await page.getByRole('button', { name: 'Forget note' }).click()
    await page.getByText('It remembers nothing yet.').waitFor()

    const colleague = await newUser(rig.app.database, { workspaceId: user.workspaceId })
    await page.getByRole('tab', { name: 'Shares' }).click()
    await page.getByRole('textbox', { name: "User's id" }).fill('2147483647')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText('There is no such user.').waitFor()
    await page.getByRole('textbox', { name: "User's id" }).fill(String(colleague.userId))
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('cell', { name: 'May look' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^End the share with / }).click()
    await page.getByRole('button', { name: 'End share' }).click()
    await page.getByText('Only you may use this agent.').waitFor()

    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByText('No tool server yet').waitFor()
    await expectAccessible(page)
    const { data: made } = await rig.send(user, 'GET', '/agents')
    expect(made).toMatchObject([{ name: 'Practice guide', instructions: 'Be brief.' }])
    expect(complaints).toEqual([])
    await page.close()

    const stranger = await newUser(rig.app.database)
    const other = await rig.open(`/agents/${made[0].id}`, stranger)
    await other.page.getByText('This address leads nowhere').waitFor()
    await other.page.close()
  })
})
