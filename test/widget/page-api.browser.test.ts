import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringsFor } from '../../src/widget/strings.ts'
import '../../src/widget/page-api.ts'
import { executablePath } from '../support/browser.ts'
import { visitor as newVisitor } from './visitor.ts'

describe.skipIf(!executablePath)('what a page does with its widget', { timeout: 120_000 }, () => {
  const visitor = newVisitor()
  const withAttributes = (tag: string, attributes: string) => tag.replace('<script ', `<script ${attributes} `)
  const greeting = () => visitor.bubbles().first()

  test('simple Markdown is shown, links lead out, and nothing else is markup', async () => {
    const { tag } = await visitor.newTag({
      chat_first_message: [
        '# Bread',
        '**Rye** and *wheat*, `code`, <b>no markup</b>',
        '',
        '- [our shop](https://shop.example.com/a?b=1)',
        '- [bad](javascript:alert(1)) and https://example.com/x.',
        '',
        '3. three',
        '4. four',
        '```',
        '**not bold**',
        '```',
      ].join('\n'),
    })
    await visitor.visit({ body: withAttributes(tag, 'data-open') })
    await greeting().waitFor()
    const shown = await greeting().evaluate((node) => {
      const texts = (selector: string) => [...node.querySelectorAll(selector)].map(({ textContent }) => textContent)
      const links = [...node.querySelectorAll('a')].map(({ href, rel, target }) => ({ href, rel, target }))
      const start = node.querySelector('ol')?.getAttribute('start')
      return {
        strong: texts('strong'),
        em: texts('em'),
        code: texts('code'),
        items: texts('li'),
        links,
        start,
        b: texts('b'),
      }
    })
    const out = { rel: 'noopener noreferrer nofollow', target: '_blank' }
    expect(shown).toEqual({
      strong: ['Bread', 'Rye'],
      em: ['wheat'],
      code: ['code', '**not bold**'],
      items: ['our shop', '[bad](javascript:alert(1)) and https://example.com/x.', 'three', 'four'],
      links: [
        { href: 'https://shop.example.com/a?b=1', ...out },
        { href: 'https://example.com/x', ...out },
      ],
      start: '3',
      b: [],
    })
    expect(await greeting().textContent()).toContain('<b>no markup</b>')
    expect(visitor.complaints).toEqual([])
  })

  test('a page opens it, closes it, hears of it, and sees how many replies are unread', async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({
      head: `<script>heard = []; for (const name of ['ready', 'open', 'close', 'message', 'unread'])
        addEventListener('switchboard:' + name, ({ detail }) => heard.push([name, detail]))</script>`,
      body: tag,
    })
    const release = Promise.withResolvers<void>()
    await visitor.page.route('**/chat', async (route) => {
      await release.promise
      await route.continue()
    })
    await visitor.page.evaluate(() => window.Switchboard?.open())
    await visitor.say('What does your rye bread cost?')
    await visitor.page.locator('.dots').waitFor()
    await visitor.page.evaluate(() => window.Switchboard?.close())
    release.resolve()
    const badge = visitor.launcher().locator('.badge')
    await badge.waitFor()
    expect(await badge.textContent()).toBe('1')
    expect(await visitor.page.getByRole('status').textContent()).toBe('New messages: 1')
    await visitor.page.evaluate(() => window.Switchboard?.open())
    expect(await badge.isVisible()).toBe(false)
    const reply = 'Our rye bread costs four euros.'
    expect(await visitor.page.evaluate('heard')).toEqual([
      ['ready', null],
      ['open', null],
      ['close', null],
      ['message', { from: 'visitor', text: 'What does your rye bread cost?' }],
      ['message', { from: 'assistant', text: reply }],
      ['unread', 1],
      ['unread', 0],
      ['open', null],
    ])
    const heard = await visitor.page.evaluate(() => {
      const names: string[] = []
      const stop = window.Switchboard?.on('close', () => names.push('close'))
      window.Switchboard?.close()
      stop?.()
      window.Switchboard?.open()
      window.Switchboard?.close()
      return names
    })
    expect(heard).toEqual(['close'])
  })

  test('visitors that the page knows have conversations of their own', async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ body: withAttributes(tag, 'data-open') })
    await visitor.say('What does your rye bread cost?')
    await visitor.reply('Our rye bread costs four euros.')
    const identify = (id: string | null) =>
      visitor.page.evaluate((given) => window.Switchboard?.identify(given === null ? null : { id: given }), id)
    await identify('ada')
    expect(await visitor.bubbles().count()).toBe(0)
    await identify(null)
    expect(await visitor.bubbles().count()).toBe(2)
  })

  test('attributes of the tag win, a logo is shown, and Arabic is read from the right', async () => {
    const { tag } = await visitor.newTag({ title: 'Bakery', locale: 'de' })
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
    const attributes = `data-title="Ovens" data-locale="ar" data-position="top-left" data-logo="${pixel}" data-open`
    await visitor.visit({ body: withAttributes(tag, attributes) })
    await visitor.dialog().waitFor()
    expect(await visitor.dialog().getByRole('heading', { level: 2 }).textContent()).toBe('Ovens')
    expect(await visitor.page.locator('switchboard-widget header img').getAttribute('src')).toBe(pixel)
    const root = visitor.page.locator('switchboard-widget .root')
    expect(await root.getAttribute('dir')).toBe('rtl')
    expect(await root.getAttribute('class')).toContain('top-left')
    expect(await root.evaluate((node) => getComputedStyle(node).direction)).toBe('rtl')
    expect(await visitor.field().getAttribute('placeholder')).toBe('اكتب رسالة…')
  })

  test("a page's styles for every element stay outside", async () => {
    const { tag } = await visitor.newTag({ chat_first_message: 'Hello there' })
    await visitor.visit({
      head: '<style>* { text-transform: uppercase !important; direction: rtl !important; font-size: 40px !important }</style>',
      body: withAttributes(tag, 'data-open'),
    })
    await greeting().waitFor()
    const seen = await greeting().evaluate((node) => {
      const { textTransform, direction, fontSize } = getComputedStyle(node)
      return { textTransform, direction, fontSize }
    })
    expect(seen).toEqual({ textTransform: 'none', direction: 'ltr', fontSize: '15px' })
  })
})

test('each of the ten languages has every text', () => {
  const files = readdirSync(join(import.meta.dirname, '../../src/widget/strings')).map((file) => file.slice(0, 2))
  expect(files.sort()).toEqual(['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt'])
  for (const language of files) {
    const found = stringsFor([`${language}-XX`])
    expect(found.language).toBe(language)
    expect(Object.keys(found.strings).sort()).toEqual(Object.keys(stringsFor(['en']).strings).sort())
  }
  expect(stringsFor(['xx'])).toMatchObject({ language: 'en', direction: 'ltr' })
})
