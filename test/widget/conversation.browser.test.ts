import { describe, expect, test } from 'vitest'
import { executablePath } from '../support/browser.ts'
import type { WidgetRig } from './rig.ts'
import { visitor as newVisitor } from './visitor.ts'

describe.skipIf(!executablePath)('a conversation on a page of another origin', { timeout: 120_000 }, () => {
  const visitor = newVisitor()

  test('a visitor agrees, asks, is answered from the prompt, and finds it again after a reload', async () => {
    const { widget, tag } = await visitor.newTag({
      consent_required: true,
      consent_title: 'May we?',
      consent_content: 'We read what you write.',
      start_button_text: 'Yes, start',
      title: 'Bakery desk',
      chat_first_message: 'Hello from the bakery!',
    })
    const key = await widget.key()
    const kept = () => visitor.page.evaluate((name) => localStorage.getItem(name), `switchboard-widget:${key}`)
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    expect(await visitor.dialog().getByRole('heading', { level: 2 }).textContent()).toBe('Bakery desk')
    expect(await visitor.dialog().getByRole('heading', { level: 3 }).textContent()).toBe('May we?')
    expect([await visitor.field().count(), await kept()]).toEqual([0, null])
    await visitor.page.getByRole('button', { name: 'Yes, start' }).click()
    await visitor.say('What does your rye bread cost?')
    await visitor.reply('Our rye bread costs four euros.')
    const said = [
      'Assistant: Hello from the bakery!',
      'You: What does your rye bread cost?',
      'Assistant: Our rye bread costs four euros.',
    ]
    expect(await visitor.bubbles().allTextContents()).toEqual(said)

    await visitor.page.reload()
    await visitor.launcher().click()
    expect(await visitor.bubbles().allTextContents()).toEqual(said)
    await visitor.say('Do you open in the morning?')
    await visitor.reply('We open at seven every morning.')
    expect(visitor.rig.app.platform.requests.findLast(({ path }) => path === '/chat')?.body).toHaveProperty('sessionId')

    await visitor.page.getByRole('button', { name: 'End conversation' }).click()
    expect(await visitor.bubbles().allTextContents()).toEqual([said[0]])
    expect(JSON.parse((await kept()) ?? '')).toEqual({ consented: true, session: null, messages: [] })
    expect(visitor.complaints).toEqual([])
  })

  test('who declines has sent and left nothing', async () => {
    const { tag } = await visitor.newTag({ consent_required: true })
    await visitor.visit({ body: tag })
    const before = visitor.rig.app.platform.requests.length
    await visitor.launcher().click()
    await visitor.page.getByRole('button', { name: 'Not now' }).click()
    expect(await visitor.dialog().count()).toBe(0)
    expect(await visitor.active()).toBe('button.launcher')
    expect(visitor.rig.app.platform.requests).toHaveLength(before)
  })

  test('the keyboard alone opens, asks, goes round inside, closes and is back at the button', async () => {
    const { tag } = await visitor.newTag({ consent_required: true })
    await visitor.visit({ body: tag })
    await visitor.page.keyboard.press('Tab')
    await visitor.page.keyboard.press('Tab')
    expect(await visitor.active()).toBe('button.launcher')
    expect(await visitor.launcher().getAttribute('aria-expanded')).toBe('false')
    await visitor.page.keyboard.press('Enter')
    expect([await visitor.launcher().getAttribute('aria-expanded'), await visitor.active()]).toEqual([
      'true',
      'button.accept',
    ])
    await visitor.page.keyboard.press('Enter')
    await visitor.page.keyboard.type('What does rye bread cost?')
    await visitor.page.keyboard.press('Shift+Enter')
    await visitor.page.keyboard.type('Please')
    expect(await visitor.field().inputValue()).toBe('What does rye bread cost?\nPlease')
    await visitor.page.keyboard.press('Enter')
    await visitor.reply('Our rye bread costs four euros.')
    const round: unknown[] = []
    for (let step = 0; step < 6; step++) {
      round.push(await visitor.active())
      await visitor.page.keyboard.press('Tab')
    }
    expect(round).toEqual(['textarea.', 'button.send', 'button.tool', 'button.tool', 'div.log', 'textarea.'])
    await visitor.page.keyboard.press('Shift+Tab')
    await visitor.page.keyboard.press('Shift+Tab')
    expect(await visitor.active()).toBe('div.log')
    await visitor.page.keyboard.press('Escape')
    expect([
      await visitor.dialog().count(),
      await visitor.active(),
      await visitor.launcher().getAttribute('aria-expanded'),
    ]).toEqual([0, 'button.launcher', 'false'])
  })

  test('screen readers are told what is what', async () => {
    const { tag } = await visitor.newTag({ title: 'Bakery desk' })
    await visitor.visit({ body: tag })
    await visitor.page.getByRole('button', { name: 'Open chat' }).click()
    const box = visitor.page.getByRole('dialog', { name: 'Bakery desk' })
    expect(await box.getAttribute('aria-modal')).toBe('true')
    expect(await box.getByRole('log', { name: 'Conversation' }).count()).toBe(1)
    expect(await box.getByRole('textbox', { name: 'Your message' }).count()).toBe(1)
    expect(await box.getByRole('button', { name: 'Send message' }).count()).toBe(1)
    await box.getByRole('button', { name: 'Close chat' }).click()
    expect(await box.count()).toBe(0)
  })

  test('a page that is not listed shows a kind error, and the server says 403', async () => {
    const { widget, tag } = await visitor.newTag({ allowed_origins: ['https://shop.example.com'] })
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    const answered = visitor.page.waitForEvent('requestfailed')
    await visitor.say('Hello')
    await visitor.page.getByText('The assistant cannot be reached right now.').waitFor()
    expect((await answered).url()).toContain('/chat')
    const direct = await fetch(`${visitor.rig.api}/widget/${await widget.key()}/chat`, {
      method: 'POST',
      headers: { origin: visitor.rig.site.slice(0, -1), 'content-type': 'application/json' },
      body: '{"message":"Hello"}',
    })
    expect(direct.status).toBe(403)

    await widget.configure({ allowed_origins: [visitor.rig.site.slice(0, -1)] })
    await visitor.page.getByRole('button', { name: 'Try again' }).click()
    await visitor.page.locator('.said.assistant:not(.dots)').waitFor()
    expect(await visitor.page.locator('.problem').count()).toBe(0)
  })

  test.each([
    ['switched off', (widget: WidgetRig) => widget.configure({ enabled: false }), 403],
    ['given another key', (widget: WidgetRig) => widget.rotate(), 404],
  ])('a widget that was %s meanwhile shows a kind error', async (_, change, status) => {
    const { widget, tag } = await visitor.newTag()
    await visitor.visit({ body: tag })
    await change(widget)
    await visitor.launcher().click()
    const answered = visitor.page.waitForResponse(/\/chat$/)
    await visitor.say('Hello')
    expect((await answered).status()).toBe(status)
    await visitor.page.getByText('The chat is not available on this page right now.').waitFor()
    expect(await visitor.bubbles().allTextContents()).toEqual(['You: Hello'])
    const now = await visitor.tagOf(widget)
    await visitor.page.close()
    await visitor.visit({ body: now })
    expect(await visitor.launcher().count()).toBe(status === 403 ? 0 : 1)
  })

  test.each([
    [429, 'That was a lot of messages.'],
    [422, 'Please shorten it.'],
    [200, 'could not answer this time.'],
  ])('an answer of %i without a reply says kindly what happened: %s', async (status, text) => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ body: tag })
    await visitor.page.route(/\/chat$/, (route) =>
      route.fulfill({ status, body: '<html>', headers: { 'access-control-allow-origin': '*' } }),
    )
    await visitor.launcher().click()
    await visitor.say('Hello')
    await visitor.page.getByText(text).waitFor()
  })

  test('a failed answer can be asked for again', async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    visitor.rig.app.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 500 })
    await visitor.say('Do you open in the morning?')
    await visitor.page.getByText('The assistant could not answer this time.').waitFor()
    await visitor.page.getByRole('button', { name: 'Try again' }).click()
    await visitor.reply('We open at seven every morning.')
    expect(await visitor.bubbles().count()).toBe(2)
  })
})
