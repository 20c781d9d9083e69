import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('budgets in the console', () => {
  const rig = consoleRig()

  test('an agent is limited, changed beside others and set free; a chat that is refused leads to the limit', async () => {
    const user = await newUser(rig.app.database)
    const { data: agent } = await rig.send(user, 'POST', '/agents', { name: 'Practice guide' })
    const path = `/agents/${agent.id}/budget`
    const { page, complaints } = await rig.open(`/agents/${agent.id}?filter=budget`, user)
    await page.getByText('There is no limit.').waitFor()
    await page.getByRole('textbox', { name: 'Tokens at most' }).fill('100000')
    await page.getByRole('button', { name: 'Save budget' }).click()
    await page.getByText('0 of 100,000 tokens a day').waitFor()
    await expectAccessible(page)
    expect((await rig.send(user, 'GET', path)).data).toMatchObject({ window: 'day', tokens: 100_000, usd: null })

    await page.getByRole('textbox', { name: 'Tokens at most' }).fill('')
    await page.getByRole('textbox', { name: 'US dollars at most' }).fill('0')
    await page.getByRole('button', { name: 'Save budget' }).click()
    await page.getByText('$0.00 of $0.00 a day').waitFor()
    expect((await rig.send(user, 'GET', path)).data).toMatchObject({ tokens: null, usd: 0 })

    await rig.send(user, 'POST', `/agents/${agent.id}/chats`, {})
    await page.getByRole('tab', { name: 'Chat' }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('When are you open?')
    await page.keyboard.press('Enter')
    await page.getByText('The budget is used up: 0 USD per day for this agent.').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Budget of the agent' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove budget' }).click()
    await page.getByText('There is no limit.').waitFor()
    expect(await page.getByRole('textbox', { name: 'US dollars at most' }).inputValue()).toBe('')
    expect((await rig.send(user, 'GET', path)).data.window).toBeNull()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a save keeps the limit that others set meanwhile', async () => {
    const user = await newUser(rig.app.database)
    const { data: agent } = await rig.send(user, 'POST', '/agents', { name: 'Practice guide' })
    const path = `/agents/${agent.id}/budget`
    await rig.send(user, 'PUT', path, { window: 'day', usd: 5, tokens: 1000 })
    const { page, complaints } = await rig.open(`/agents/${agent.id}?filter=budget`, user)
    await page.getByRole('textbox', { name: 'US dollars at most' }).fill('7')
    await rig.send(user, 'PUT', path, { window: 'month', usd: 5, tokens: 2000 })
    await page.getByRole('button', { name: 'Save budget' }).click()
    await page.getByText('0 of 2,000 tokens a month').waitFor()
    expect((await rig.send(user, 'GET', path)).data).toMatchObject({ window: 'month', usd: 7, tokens: 2000 })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a share of an agent leaves its budget to the owner, also where a chat is refused for it', async () => {
    const owner = await newUser(rig.app.database)
    const other = await newUser(rig.app.database, { workspaceId: owner.workspaceId })
    const { data: agent } = await rig.send(owner, 'POST', '/agents', { name: 'Practice guide' })
    await rig.send(owner, 'PUT', `/agents/${agent.id}/shares/${other.userId}`, { access: 'edit', mcp_access: true })
    await rig.send(owner, 'PUT', `/agents/${agent.id}/budget`, { window: 'day', usd: 0 })
    const { page, complaints } = await rig.open(`/agents/${agent.id}?filter=budget`, other)
    await page.getByRole('heading', { name: 'Practice guide' }).waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Chat', 'Instructions', 'Files', 'Tools'])
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('When are you open?')
    await page.keyboard.press('Enter')
    await page.getByText('The budget is used up: 0 USD per day for this agent.').waitFor()
    expect(await page.getByRole('link', { name: 'Budget of the agent' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a test call that a token cannot pay leads to the tokens', async () => {
    const user = await newUser(rig.app.database)
    const { data: assistant } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    const { data: limited } = await rig.send(user, 'POST', '/user/tokens', { name: 'Laptop' })
    await rig.send(user, 'PUT', `/user/tokens/${limited.id}/budget`, { window: 'month', tokens: 0 })
    const { page, complaints } = await rig.open(`/assistants/${assistant.assistant_id}?filter=talk`, limited)
    await page.getByRole('textbox', { name: 'What the caller says' }).fill('Hello')
    await page.keyboard.press('Enter')
    await page.getByText('The budget is used up: 0 tokens per month for this token.').waitFor()
    await page.getByRole('link', { name: 'Budgets of your tokens' }).click()
    await page.getByText('0 of 0 tokens a month').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
