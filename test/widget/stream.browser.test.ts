import { describe, expect, test } from 'vitest'
import type { Reader } from '../../src/voice-platform/converse.ts'
import { executablePath } from '../support/browser.ts'
import { visitor as newVisitor } from './visitor.ts'

/** A model whose reply a test writes piece by piece. */
function pen() {
  const fresh = () => ({ asked: Promise.withResolvers<Reader>(), reply: Promise.withResolvers<string>() })
  let turn = fresh()
  return {
    converse: (_messages: unknown, _speaker: unknown, reader: Reader = {}) => {
      const { asked, reply } = turn
      reader.signal?.addEventListener('abort', () => reply.reject(new Error('left')))
      asked.resolve(reader)
      return reply.promise
    },
    reader: () => turn.asked.promise,
    async write(text: string) {
      ;(await turn.asked.promise).onText?.({ type: 'delta', text })
    },
    async restart() {
      ;(await turn.asked.promise).onText?.({ type: 'restart' })
    },
    async end(text: string) {
      await turn.asked.promise
      turn.reply.resolve(text)
      turn = fresh()
    },
    /** Leaves what nobody waits for. */
    lift() {
      turn = fresh()
    },
  }
}

describe.skipIf(!executablePath)('a reply that comes as it is written', { timeout: 60_000 }, () => {
  const model = pen()
  const visitor = newVisitor({ converse: model.converse })
  const growing = () => visitor.page.locator('.said.growing')
  const html = () => growing().evaluate((node) => node.innerHTML)
  const ask = async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    await visitor.say('Hello')
    await visitor.page.locator('.dots').waitFor()
  }

  test('grows with its Markdown, hidden from screen readers, which are told of the whole once', async () => {
    await ask()
    await model.write('See **our br')
    await expect.poll(html, { timeout: 30_000 }).toBe('<p>See <strong>our br</strong></p>')
    expect(await growing().getAttribute('aria-hidden')).toBe('true')
    expect(await visitor.page.locator('.dots').count()).toBe(0)
    await model.write('ead** and [the pri')
    await expect.poll(html, { timeout: 30_000 }).toBe('<p>See <strong>our bread</strong> and the pri</p>')
    await model.write('ces](javascript:x)<img src=x onerror=alert(1)>')
    await expect.poll(html, { timeout: 30_000 }).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(await growing().locator('img, a').count()).toBe(0)
    await model.end('said')
    const whole = 'See our bread and [the prices](javascript:x)<img src=x onerror=alert(1)>'
    await visitor.reply(whole)
    expect(await growing().count()).toBe(0)
    expect(await visitor.bubbles().allTextContents()).toEqual(['You: Hello', `Assistant: ${whole}`])
    expect(await visitor.page.locator('.log > .said.assistant').last().getAttribute('aria-hidden')).toBeNull()
    expect(visitor.complaints).toEqual([])
  })

  test('shows the dots again where what came so far is no part of the reply', async () => {
    await ask()
    await model.write('Let me think')
    await growing().waitFor()
    await model.restart()
    await visitor.page.locator('.dots').waitFor()
    await model.write('We are open.')
    await model.end('said')
    await visitor.reply('We are open.')
  })

  test('grows by whole lines for who prefers reduced motion', async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ body: tag })
    await visitor.page.emulateMedia({ reducedMotion: 'reduce' })
    await visitor.launcher().click()
    await visitor.say('Hello')
    await model.write('One line.\n\nAnd half')
    await growing().waitFor()
    expect(await html()).toBe('<p>One line.</p>')
    await model.write(' a line.')
    await model.end('said')
    await visitor.reply('And half a line.')
  })

  test('a visitor who ends the conversation ends the work of the model, and is shown nothing more', async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    await visitor.say('Hello')
    await model.end('First.')
    await visitor.reply('First.')
    await visitor.say('More')
    await model.write('Half')
    await growing().waitFor()
    const { signal } = await model.reader()
    const left = new Promise((resolve) => signal?.addEventListener('abort', resolve))
    await visitor.page.getByRole('button', { name: 'End conversation' }).click()
    await left
    expect(await growing().count()).toBe(0)
    expect(await visitor.page.locator('.problem').count()).toBe(0)
    model.lift()
  })

  test('a page that is left ends the work, too', async () => {
    await ask()
    await model.write('Half')
    const { signal } = await model.reader()
    const left = new Promise((resolve) => signal?.addEventListener('abort', resolve))
    await visitor.page.goto('about:blank')
    await left
    model.lift()
  })

  test('what passes no stream on gives the whole reply', async () => {
    await visitor.rig.browser.route(/\/chat$/, (route) =>
      route.continue({ headers: { ...route.request().headers(), accept: 'application/json' } }),
    )
    await ask()
    await model.end('All at once.')
    await visitor.reply('All at once.')
    await visitor.rig.browser.unroute(/\/chat$/)
  })
})
