import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('tool servers in the console', () => {
  const rig = consoleRig()

  test('are changed and deleted, and headers that are left alone stay', async () => {
    const user = await newUser(rig.app.database)
    const { data: agent } = await rig.send(user, 'POST', '/agents', { name: 'Guide' })
    const { page, complaints } = await rig.open(`/agents/${agent.id}?filter=connectors`, user)
    const fill = (name: string, value: string) => page.getByRole('dialog').getByRole('textbox', { name }).fill(value)
    const bodies: unknown[] = []
    page.on('request', (request) => {
      if (request.url().includes('connectors.update')) bodies.push(request.postDataJSON())
    })
    await page.getByRole('button', { name: 'Add a tool server' }).click()
    await fill('Name', 'Ledger')
    await fill('Address', 'https://tools.example.com/mcp')
    await fill('Headers (JSON)', '{"X-Api-Key": "secret"}')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const uid = async () => (await rig.send(user, 'GET', '/connectors')).data[0]?.uid

    await page.getByRole('button', { name: 'Change Ledger' }).click()
    await fill('Name', 'Books')
    await fill('Address', 'http://10.0.0.1/mcp')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^The server_url field /).waitFor()
    await expectAccessible(page)
    await fill('Address', 'https://books.example.com/mcp')
    await page.getByRole('switch', { name: 'Agents may use it' }).press('Space')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Books' }).waitFor()
    await page.getByText('switched off for all agents').waitFor()
    const changed = { name: 'Books', server_url: 'https://books.example.com/mcp', active: false }
    expect(bodies.at(-1)).toEqual({ 0: { ...changed, connector_id: await uid() } })
    expect((await rig.send(user, 'GET', '/connectors')).data).toMatchObject([{ ...changed, description: '' }])

    await page.getByRole('button', { name: 'Change Books' }).click()
    await fill('Headers (JSON)', '{}')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(bodies.at(-1)).toEqual({ 0: { headers: {}, connector_id: await uid() } })

    await page.getByRole('button', { name: 'Delete Books' }).click()
    await page.getByRole('button', { name: 'Delete tool server' }).click()
    await page.getByText('No tool server yet').waitFor()
    expect(await uid()).toBeUndefined()
    expect(complaints).toEqual([])
    await page.close()
  })
})
