import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('a squad in the console, where others change it or its members', () => {
  const rig = consoleRig()

  /** A published squad, with such other members, in which the front desk hands over to billing. */
  async function reception(...names: string[]) {
    const user = await newUser(rig.app.database)
    const make = async (name: string) =>
      String((await rig.send(user, 'POST', '/assistants', { name })).data.assistant_id)
    const [desk, billing] = [await make('Front desk'), await make('Billing')]
    const others = await Promise.all(names.map(make))
    const members = (...destinations: object[]) => [
      { assistantId: desk, position: { x: 40, y: 60 }, assistantDestinations: destinations },
      { assistantId: billing, position: { x: 420, y: 60 } },
      ...others.map((assistantId) => ({ assistantId, position: { x: 420, y: 300 } })),
    ]
    const { data: draft } = await rig.send(user, 'POST', '/squads', { name: 'Reception', members: [] })
    const publish = (id: string, ...destinations: object[]) =>
      rig.send(user, 'PUT', `/squads/${id}`, { name: 'Reception', members: members(...destinations) })
    const { data } = await publish(draft.external_squad_id, { assistantName: 'Billing' })
    const id = String(data.external_squad_id)
    return {
      user,
      id,
      desk,
      billing,
      others,
      publish: (...destinations: object[]) => publish(id, ...destinations),
      async handOffs() {
        const squad = await rig.send(user, 'GET', `/squads/${id}`)
        return squad.data.members[0].assistantDestinations
      },
    }
  }

  test('a hand-off to a name that no member has stays until it is taken away', async () => {
    const { user, id, billing, others, handOffs } = await reception('Accounts')
    // The hand-off does not follow the first, as there is such a member, and names nobody after the second.
    await rig.send(user, 'PUT', `/assistants/${billing}`, { name: 'Accounts' })
    for (const other of others) await rig.send(user, 'PUT', `/assistants/${other}`, { name: 'Archive' })
    const { page, complaints } = await rig.open(`/squads/${id}`, user)
    await page.getByText('Front desk to Billing').waitFor()
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('hands over to "Billing", which is no member of the squad.').waitFor()
    expect(await handOffs()).toMatchObject([{ assistantName: 'Billing' }])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Take away the hand-off from Front desk to Billing' }).click()
    const source = page.locator('.react-flow__node', { hasText: 'Front desk' }).locator('.react-flow__handle.source')
    const target = page.locator('.react-flow__node', { hasText: 'Accounts' }).locator('.react-flow__handle.target')
    await source.dragTo(target, { force: true })
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('The squad is published.').waitFor()
    expect(await handOffs()).toEqual([{ type: 'assistant', assistantName: 'Accounts', assistantId: billing }])

    // From then on it is known by its id.
    await rig.send(user, 'PUT', `/assistants/${billing}`, { name: 'Money' })
    await page.reload()
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('The squad is published.').waitFor()
    expect(await handOffs()).toMatchObject([{ assistantName: 'Money', assistantId: billing }])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what others published meanwhile is drawn, and never published over', async () => {
    const { user, id, publish, handOffs } = await reception()
    const { page } = await rig.open(`/squads/${id}`, user)
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' })
    await publish({ assistantName: 'Billing', description: 'About invoices' })
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('About invoices').waitFor()
    expect(await handOffs()).toMatchObject([{ description: 'About invoices' }])

    await page.locator('.react-flow__node', { hasText: 'Billing' }).click()
    await page.keyboard.press('ArrowDown')
    await publish({ assistantName: 'Billing', description: 'About refunds' })
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('This squad was changed meanwhile').waitFor()
    expect(await page.getByRole('button', { name: 'Publish changes' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Draw it as it is now' }).click()
    await page.getByText('About refunds').waitFor()
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('The squad is published.').waitFor()
    expect(await handOffs()).toMatchObject([{ description: 'About refunds' }])
    await page.close()
  })

  test('who may not look at assistants sees the squad', async () => {
    const { user, id } = await reception()
    const other = await newUser(rig.app.database, { workspaceId: user.workspaceId, features: ['squads'] })
    const { page, complaints } = await rig.open(`/squads/${id}`, other)
    await page.locator('.react-flow__node', { hasText: 'Front desk' }).waitFor()
    await page.getByText('Front desk to Billing').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a squad is renamed, and called for a test', async () => {
    const { user, id } = await reception()
    const { page, complaints } = await rig.open(`/squads/${id}`, user)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Front office')
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByRole('heading', { name: 'Front office' }).waitFor()
    expect((await rig.send(user, 'GET', `/squads/${id}`)).data.name).toBe('Front office')
    await page.getByRole('textbox', { name: 'What the caller says' }).fill('Hello')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Transcript' }).waitFor()
    await expectAccessible(page)

    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(' ')
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true, description: /required/ }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('arrows are made, described and taken away without drawing, on a phone and with the keyboard', async () => {
    const { user, id, desk, billing, handOffs } = await reception()
    const { page, complaints } = await rig.open(`/squads/${id}`, user, { width: 390, height: 844 })
    const publish = async () => {
      await page.getByRole('button', { name: 'Publish changes' }).click()
      await page.getByText('The squad is published.').first().waitFor()
    }
    await page.locator('.react-flow__node', { hasText: 'Front desk' }).click()
    await page.getByRole('textbox', { name: 'When does Front desk hand the call over to Billing?' }).fill('Invoices')
    await expectAccessible(page)
    await publish()
    expect(await handOffs()).toMatchObject([{ assistantName: 'Billing', description: 'Invoices' }])
    await page.getByRole('button', { name: 'Take away the arrow from Front desk to Billing' }).click()
    await publish()
    await expect.poll(handOffs).toEqual([])

    await page.locator('.react-flow__node', { hasText: 'Billing' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Let Billing answer first').waitFor()
    await page.getByLabel('Billing may hand calls over to').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Front desk' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'When does Billing hand the call over to Front desk?' }).waitFor()
    await page.getByRole('button', { name: 'Publish changes' }).press('Enter')
    const members = async () => (await rig.send(user, 'GET', `/squads/${id}`)).data.members
    await expect
      .poll(async () => (await members())[1].assistantDestinations)
      .toEqual([{ type: 'assistant', assistantName: 'Front desk', assistantId: desk }])

    await page.locator('.react-flow__node', { hasText: 'Front desk' }).click()
    await page.getByRole('button', { name: 'Take Front desk out' }).click()
    await page.getByText('answers first').waitFor()
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await expect.poll(members).toMatchObject([{ assistantId: billing, assistantDestinations: [] }])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a box that is added is in sight, and another answers first when the first is deleted', async () => {
    const { user, id } = await reception()
    for (const name of ['Accounts', 'Archive']) await rig.send(user, 'POST', '/assistants', { name })
    const { page, complaints } = await rig.open(`/squads/${id}`, user, { width: 390, height: 844 })
    const node = (name: string) => page.locator('.react-flow__node', { hasText: name })
    const canvas = page.locator('.react-flow')
    for (const name of ['Accounts', 'Archive']) {
      await page.getByPlaceholder('Choose one').click()
      await page.getByRole('option', { name }).click()
      await expect
        .poll(async () => {
          const [box, around] = [await node(name).boundingBox(), await canvas.boundingBox()]
          return box && around && box.x >= around.x && box.x + box.width <= around.x + around.width
        })
        .toBe(true)
    }
    await node('Front desk').click()
    await page.keyboard.press('Delete')
    await node('Front desk').waitFor({ state: 'detached' })
    await node('Billing').getByText('answers first').waitFor()
    expect(await page.getByText('answers first').count()).toBe(1)
    expect(complaints).toEqual([])
    await page.close()
  })
})
