import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser, type TestUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { addMessages } from '../support/rows/chats.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)('chats in the console', () => {
  const rig = consoleRig()

  const agentOf = async (user: TestUser): Promise<string> =>
    (await rig.send(user, 'POST', '/agents', { name: 'Guide' })).data.id
  const chatOf = async (user: TestUser, agent: string, title?: string): Promise<string> => {
    const { id } = (await rig.send(user, 'POST', `/agents/${agent}/chats`, {})).data
    if (title) await rig.send(user, 'PATCH', `/agents/${agent}/chats/${id}`, { title })
    return id
  }
  const titlesOf = async (user: TestUser, agent: string) =>
    (await rig.send(user, 'GET', `/agents/${agent}/chats`)).data.map(({ title }: { title: string }) => title)
  const logOf = (page: Page) => page.getByRole('log', { name: 'Messages' })
  /** How far below the upper edge of the messages one of them is, and whether it is in sight. */
  const placeOf = (page: Page, text: string) =>
    logOf(page)
      .getByText(text, { exact: true })
      .evaluate((node) => {
        const [own, frame] = [node, node.closest('[role=log]') ?? node].map((one) => one.getBoundingClientRect())
        if (!own || !frame) throw new Error('It is not shown')
        return { top: Math.round(own.top - frame.top), isSeen: own.top >= frame.top && own.bottom <= frame.bottom }
      })

  test('a long chat opens at its end, and its older messages come above without moving what is read', async () => {
    const user = await newUser(rig.app.database)
    const agent = await agentOf(user)
    const chat = await chatOf(user, agent)
    const said = Array.from({ length: 120 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Line ${index + 1}`,
    }))
    await addMessages(rig.app.database, chat, said, new Date())
    const { page, complaints } = await rig.open(`/agents/${agent}`, user)
    const older = page.getByRole('button', { name: 'Older messages' })
    await logOf(page).getByText('Line 120', { exact: true }).waitFor()
    expect((await placeOf(page, 'Line 120')).isSeen).toBe(true)
    for (const first of ['Line 71', 'Line 21']) {
      await older.scrollIntoViewIfNeeded()
      const before = await placeOf(page, first)
      await older.click()
      const above = `Line ${Number(first.slice(5)) - 1}`
      await logOf(page).getByText(above, { exact: true }).waitFor({ state: 'attached' })
      expect(await placeOf(page, first)).toEqual(before)
    }
    await older.waitFor({ state: 'hidden' })
    expect(
      await logOf(page)
        .getByText(/^Line \d+$/)
        .count(),
    ).toBe(120)
    expect(await logOf(page).evaluate((node) => node === document.activeElement)).toBe(true)
    await page.getByRole('textbox', { name: 'Message' }).fill('And now?')
    await page.keyboard.press('Enter')
    await page.getByText(/local-extractive · [\d,.]+ tokens/).waitFor()
    expect((await placeOf(page, 'And now?')).isSeen).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('every chat is reached, renamed and deleted', async () => {
    const user = await newUser(rig.app.database)
    const agent = await agentOf(user)
    for (let at = 1; at <= 52; at += 1) await chatOf(user, agent, `Chat no. ${at}`)
    const { page, complaints } = await rig.open(`/agents/${agent}`, user)
    await page.getByRole('button', { name: 'Chat no. 52' }).waitFor()
    expect(await page.getByRole('button', { name: /^Chat no\. / }).count()).toBe(50)
    await page.getByRole('button', { name: 'Older chats' }).click()
    await page.getByRole('button', { name: /^Chat no\. 1 / }).click()
    expect(await page.getByRole('button', { name: 'Older chats' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Rename this chat' }).click()
    const title = page.getByRole('dialog').getByRole('textbox', { name: 'Title' })
    await title.fill(' ')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByText('The title field is required.').waitFor()
    await title.fill('Holidays')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('button', { name: 'Holidays' }).waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Delete this chat' }).click()
    await page.getByRole('button', { name: 'Delete chat' }).click()
    await page.getByRole('button', { name: 'Holidays' }).waitFor({ state: 'hidden' })
    // The newest one is open now.
    await page.getByRole('button', { name: 'Delete this chat' }).click()
    await page.getByRole('button', { name: 'Delete chat' }).click()
    await page.getByRole('button', { name: /^Chat no\. 52/ }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Rename this chat' }).click()
    expect(await title.inputValue()).toBe('Chat no. 51')
    const left = await titlesOf(user, agent)
    expect([left.length, left[0], left.at(-1)]).toEqual([50, 'Chat no. 51', 'Chat no. 2'])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what is typed, under way or failed stays when another tab is opened; each chat has an address', async () => {
    const user = await newUser(rig.app.database)
    const agent = await agentOf(user)
    const earlier = await chatOf(user, agent, 'Earlier')
    const chat = await chatOf(user, agent)
    const { page } = await rig.open(`/agents/${agent}`, user)
    await page.waitForURL(`**/agents/${agent}?chat=${chat}`)
    const message = page.getByRole('textbox', { name: 'Message' })
    const away = async () => {
      await page.getByRole('tab', { name: 'Files' }).click()
      await page.getByRole('button', { name: 'Upload files' }).waitFor()
      await page.getByRole('tab', { name: 'Chat', exact: true }).click()
    }
    await message.fill('Where do I park?')
    await away()
    expect(await message.inputValue()).toBe('Where do I park?')

    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/trpc/messages.send*', async (route) => {
      await held
      await route.fulfill({ status: 503, json: {} })
    })
    await message.press('Enter')
    await away()
    await page.getByRole('status', { name: 'The agent answers' }).waitFor()
    goOn()
    await page.getByRole('status', { name: 'The agent answers' }).waitFor({ state: 'hidden' })
    await away()
    expect(await message.inputValue()).toBe('Where do I park?')

    await page.unroute('**/trpc/messages.send*')
    await message.press('Enter')
    await page.getByText(/local-extractive · [\d,.]+ tokens/).waitFor()
    await page.getByRole('button', { name: /^Where do I park\? / }).waitFor()
    expect(await titlesOf(user, agent)).toEqual(['Where do I park?', 'Earlier'])

    await page.goto(`${rig.url}/console/agents/${agent}?chat=${earlier}`)
    await page.getByText('Nothing was said yet.').waitFor()
    await page.getByText('Earlier', { exact: true }).first().waitFor()
    await page.close()
  })

  test('a second click on New chat makes no second one', async () => {
    const user = await newUser(rig.app.database)
    const agent = await agentOf(user)
    await chatOf(user, agent, 'Earlier')
    const { page, complaints } = await rig.open(`/agents/${agent}`, user)
    await page.getByRole('button', { name: 'New chat' }).evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    const made = page.getByRole('button', { name: 'New chat now' })
    await made.or(page.getByRole('button', { name: /^New chat .+ago/ })).waitFor()
    await page.getByRole('button', { name: 'New chat', exact: true }).click()
    await page.waitForTimeout(500)
    expect(await titlesOf(user, agent)).toEqual(['New chat', 'Earlier'])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what was typed stays when its message fails, also where another chat is open by then', async () => {
    const user = await newUser(rig.app.database)
    const agent = await agentOf(user)
    await chatOf(user, agent, 'First')
    await chatOf(user, agent, 'Second')
    const { page, complaints } = await rig.open(`/agents/${agent}`, user)
    const field = page.getByRole('textbox', { name: 'Message' })
    const failing = Promise.withResolvers<void>()
    await page.route(/messages\.send/, async (route) => {
      await failing.promise
      await route.abort()
    })
    await field.fill('Where are you?')
    await page.keyboard.press('Enter')
    await page.getByRole('status', { name: 'The agent answers' }).waitFor()
    await page.getByRole('button', { name: /^First/ }).click()
    await field.fill('Not sent yet')
    failing.resolve()
    await page.getByRole('button', { name: /^Second/ }).click()
    await expect.poll(() => field.inputValue()).toBe('Where are you?')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: /^First/ }).click()
    expect(await field.inputValue()).toBe('Not sent yet')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The server cannot be reached.').waitFor()
    expect(await field.inputValue()).toBe('Not sent yet')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a stored reply shows the files that it names and what its tools gave', async () => {
    const user = await newUser(rig.app.database)
    const agent = await agentOf(user)
    const chat = await chatOf(user, agent)
    const use = {
      name: 'opening.hours',
      arguments: '{"branch":"Bristol"}',
      result: 'From nine to five.',
      failed: false,
    }
    const generation = {
      usage: { promptTokens: 1, completionTokens: 1 },
      finishReason: 'stop' as const,
      toolsUsed: [use.name, 'ledger'],
      wallet: null,
      toolUses: [use, { name: 'ledger', arguments: '{}', result: 'The ledger is closed.', failed: true }],
      citations: [
        { file: 'handbook.md', heading: 'Opening hours' },
        { file: 'prices.md', heading: null },
      ],
    }
    const said = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'When are you open?' },
      { role: 'assistant' as const, content: 'From nine to five.', model: 'local-extractive', generation },
    ]
    await addMessages(rig.app.database, chat, said, new Date())
    const { page, complaints } = await rig.open(`/agents/${agent}`, user)
    await page.getByText('From handbook.md, Opening hours; prices.md').waitFor()
    await logOf(page).getByText('System', { exact: true }).waitFor()
    await page.getByText('Called opening.hours').click()
    await page.getByText('{"branch":"Bristol"}').waitFor()
    await page.getByText('Called ledger').click()
    await page.getByText('The ledger is closed.').waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.close()
  })
})
