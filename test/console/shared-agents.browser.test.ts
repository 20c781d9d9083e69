import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { rememberAll } from '../support/rows/chats.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('an agent that somebody shares, in the console', () => {
  const rig = consoleRig()

  async function shared(share: object) {
    const owner = await newUser(rig.app.database)
    const guest = await newUser(rig.app.database)
    const { data: agent } = await rig.send(owner, 'POST', '/agents', { name: 'Guide' })
    await rememberAll(rig.app.database, owner, '- [2026-03-01] Prefers short answers.')
    await rig.send(guest, 'POST', '/connectors', { name: 'Ledger', server_url: 'https://tools.example.com/mcp' })
    await rig.send(owner, 'PUT', `/agents/${agent.id}/shares/${guest.userId}`, share)
    const visit = await rig.open(`/agents/${agent.id}?filter=shares`, guest)
    await visit.page.getByRole('heading', { name: 'Guide' }).waitFor()
    return { ...visit, owner, guest, agent }
  }
  const tab = (page: Page, name: string) => page.getByRole('tab', { name })
  const tabs = (page: Page) => page.getByRole('tab').allTextContents()
  const seen = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).count()

  test('to look at alone: nothing is offered that is refused, and it can be left', async () => {
    const { page, complaints, guest } = await shared({ access: 'view', mcp_access: false })
    expect(await tabs(page)).toEqual(['Instructions', 'Files', 'Tools'])
    await page.getByText('Prefers short answers.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true)
    expect(await seen(page, /^Forget/)).toBe(0)
    await tab(page, 'Files').click()
    await page.getByText('No file yet').waitFor()
    expect(await seen(page, 'Upload files')).toBe(0)
    await tab(page, 'Tools').click()
    await page.getByRole('heading', { name: 'Ledger' }).waitFor()
    expect(await page.getByRole('switch', { name: 'Use' }).isDisabled()).toBe(true)
    expect(await seen(page, /^(Add|Change|Delete)/)).toBe(0)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('button', { name: 'Leave agent' }).click()
    await page.getByText('No agent yet').waitFor()
    expect((await rig.send(guest, 'GET', '/agents')).data).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  test("to change: all but what is its owner's", async () => {
    const { page, complaints, owner, agent } = await shared({ access: 'edit' })
    expect(await tabs(page)).toEqual(['Chat', 'Instructions', 'Files', 'Tools'])
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await tab(page, 'Files').click()
    await page.getByRole('button', { name: 'Upload files' }).waitFor()
    await tab(page, 'Tools').click()
    await page.getByRole('button', { name: 'Change Ledger' }).waitFor()
    await tab(page, 'Instructions').click()
    await page.getByText('Prefers short answers.').waitFor()
    expect(await seen(page, /^Forget/)).toBe(0)
    expect(await seen(page, 'Delete')).toBe(0)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Our guide')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Our guide' }).waitFor()
    expect((await rig.send(owner, 'GET', `/agents/${agent.id}`)).data.name).toBe('Our guide')
    expect(complaints).toEqual([])
    await page.close()
  })
})
