import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserRig, executablePath, type SitePage, startBrowser } from './browser.ts'
import { newWidget, type WidgetRig } from './rig.ts'

let rig: BrowserRig
let page: Page
let complaints: string[]

beforeAll(async () => {
  if (executablePath) rig = await startBrowser()
}, 60_000)
afterAll(async () => {
  if (executablePath) await rig.stop()
})
afterEach(async () => {
  await page.close()
})

/** Opens the website with a tag, in a new tab. */
async function visit(site: SitePage): Promise<void> {
  rig.serve(site)
  page = await rig.browser.newPage()
  page.setDefaultTimeout(8000)
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(rig.site)
}

/** The tag of a widget as a page's owner is given it: by the server that this browser reaches. */
async function tagOf(widget: WidgetRig): Promise<string> {
  return (await widget.html()).replaceAll('http://localhost/', `${rig.api}/`)
}

const newTag = async (config: object = {}) => {
  const widget = await newWidget(rig.app, config)
  return { widget, tag: await tagOf(widget) }
}

const launcher = () => page.locator('switchboard-widget .launcher')
const dialog = () => page.getByRole('dialog')
const field = () => page.getByRole('textbox')
const bubbles = () => page.locator('.said:not(.dots)')
const say = async (message: string) => {
  await field().fill(message)
  await field().press('Enter')
}
const active = () =>
  page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement
    return inner ? `${inner.localName}.${inner.className}` : document.activeElement?.localName
  })

describe.skipIf(!executablePath)('on a page of another origin', { timeout: 30_000 }, () => {
  test('a visitor agrees, asks, is answered from the prompt, and finds it again after a reload', async () => {
    const { widget, tag } = await newTag({
      consent_required: true,
      consent_title: 'May we?',
      consent_content: 'We read what you write.',
      start_button_text: 'Yes, start',
      title: 'Bakery desk',
      chat_first_message: 'Hello from the bakery!',
    })
    const key = await widget.key()
    const kept = () => page.evaluate((name) => localStorage.getItem(name), `switchboard-widget:${key}`)
    await visit({ body: tag })
    await launcher().click()
    expect(await dialog().getByRole('heading', { level: 2 }).textContent()).toBe('Bakery desk')
    expect(await dialog().getByRole('heading', { level: 3 }).textContent()).toBe('May we?')
    expect([await field().count(), await kept()]).toEqual([0, null])
    await page.getByRole('button', { name: 'Yes, start' }).click()
    await say('What does your rye bread cost?')
    await page.getByText('Our rye bread costs four euros.').waitFor()
    const said = [
      'Assistant: Hello from the bakery!',
      'You: What does your rye bread cost?',
      'Assistant: Our rye bread costs four euros.',
    ]
    expect(await bubbles().allTextContents()).toEqual(said)

    await page.reload()
    await launcher().click()
    expect(await bubbles().allTextContents()).toEqual(said)
    await say('Do you open in the morning?')
    await page.getByText('We open at seven every morning.').waitFor()
    expect(rig.app.platform.requests.findLast(({ path }) => path === '/chat')?.body).toHaveProperty('sessionId')

    await page.getByRole('button', { name: 'End conversation' }).click()
    expect(await bubbles().allTextContents()).toEqual([said[0]])
    expect(JSON.parse((await kept()) ?? '')).toEqual({ consented: true, session: null, messages: [] })
    expect(complaints).toEqual([])
  })

  test('who declines has sent and left nothing', async () => {
    const { tag } = await newTag({ consent_required: true })
    await visit({ body: tag })
    const before = rig.app.platform.requests.length
    await launcher().click()
    await page.getByRole('button', { name: 'Not now' }).click()
    expect(await dialog().count()).toBe(0)
    expect(await active()).toBe('button.launcher')
    expect(rig.app.platform.requests).toHaveLength(before)
  })

  test('the keyboard alone opens, asks, goes round inside, closes and is back at the button', async () => {
    const { tag } = await newTag({ consent_required: true })
    await visit({ body: tag })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await active()).toBe('button.launcher')
    expect(await launcher().getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('Enter')
    expect([await launcher().getAttribute('aria-expanded'), await active()]).toEqual(['true', 'button.accept'])
    await page.keyboard.press('Enter')
    await page.keyboard.type('What does rye bread cost?')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Please')
    expect(await field().inputValue()).toBe('What does rye bread cost?\nPlease')
    await page.keyboard.press('Enter')
    await page.getByText('Our rye bread costs four euros.').waitFor()
    const round: unknown[] = []
    for (let step = 0; step < 6; step++) {
      round.push(await active())
      await page.keyboard.press('Tab')
    }
    expect(round).toEqual(['textarea.', 'button.send', 'button.tool', 'button.tool', 'div.log', 'textarea.'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await active()).toBe('div.log')
    await page.keyboard.press('Escape')
    expect([await dialog().count(), await active(), await launcher().getAttribute('aria-expanded')]).toEqual([
      0,
      'button.launcher',
      'false',
    ])
  })

  test('screen readers are told what is what', async () => {
    const { tag } = await newTag({ title: 'Bakery desk' })
    await visit({ body: tag })
    await page.getByRole('button', { name: 'Open chat' }).click()
    const box = page.getByRole('dialog', { name: 'Bakery desk' })
    expect(await box.getAttribute('aria-modal')).toBe('true')
    expect(await box.getByRole('log', { name: 'Conversation' }).count()).toBe(1)
    expect(await box.getByRole('textbox', { name: 'Your message' }).count()).toBe(1)
    expect(await box.getByRole('button', { name: 'Send message' }).count()).toBe(1)
    await box.getByRole('button', { name: 'Close chat' }).click()
    expect(await box.count()).toBe(0)
  })

  test('hostile values do nothing but show as text', async () => {
    const attack = `"></script><img src=x onerror="window.hit=1"><script>window.hit=1</script>`
    const { tag } = await newTag({
      title: attack,
      cta_title: attack,
      chat_first_message: attack,
      consent_required: true,
      consent_content: attack,
    })
    const config = {
      theme: attack,
      position: attack,
      size: {},
      border_radius: 'x;}',
      accent_color: 'red;} *{display:none',
      base_bg_color: 'url(https://evil.example)',
      cta_button_color: 7,
      title: ['x'],
      locale: attack,
      allowed_origins: 3,
    }
    const escaped = JSON.stringify(config).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    await visit({ body: tag })
    await launcher().click()
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe(attack)
    await page.getByRole('button', { name: 'Agree and start' }).click()
    expect(await bubbles().allTextContents()).toEqual([`Assistant: ${attack}`])
    await page.close()
    await visit({ body: tag.replace(/data-config="[^"]*"/, `data-config="${escaped}"`) })
    await launcher().click()
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Chat')
    const accent = await page.locator('header').evaluate((header) => getComputedStyle(header).backgroundColor)
    expect(accent).toBe('rgb(37, 83, 226)')
    expect(await page.evaluate(() => [document.images.length, 'hit' in window])).toEqual([0, false])
    expect(complaints).toEqual([])
  })

  test('an answer is text, whatever it holds', async () => {
    const { tag } = await newTag()
    const output = [{ role: 'assistant', content: '<img src=x onerror=alert(1)> **bold**' }]
    rig.app.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 201, body: { id: 'c', output } })
    await visit({ body: tag })
    await launcher().click()
    await say('Hello')
    await page.getByText('<img src=x onerror=alert(1)> **bold**').waitFor()
    expect(await page.locator('.log img').count()).toBe(0)
  })

  test('a tag that is broken leaves the page alone', async () => {
    const { tag } = await newTag()
    await visit({ body: tag.replace(/data-api-url="[^"]*"/, 'data-api-url="javascript:alert(1)"') })
    expect(await page.locator('switchboard-widget').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a page that is not listed shows a kind error, and the server says 403', async () => {
    const { widget, tag } = await newTag({ allowed_origins: ['https://shop.example.com'] })
    await visit({ body: tag })
    await launcher().click()
    const answered = page.waitForEvent('requestfailed')
    await say('Hello')
    await page.getByText('The assistant cannot be reached right now.').waitFor()
    expect((await answered).url()).toContain('/chat')
    const direct = await fetch(`${rig.api}/widget/${await widget.key()}/chat`, {
      method: 'POST',
      headers: { origin: rig.site.slice(0, -1), 'content-type': 'application/json' },
      body: '{"message":"Hello"}',
    })
    expect(direct.status).toBe(403)

    await widget.configure({ allowed_origins: [rig.site.slice(0, -1)] })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.said.assistant:not(.dots)').waitFor()
    expect(await page.locator('.problem').count()).toBe(0)
  })

  test.each([
    ['switched off', (widget: WidgetRig) => widget.configure({ enabled: false }), 403],
    ['given another key', (widget: WidgetRig) => widget.rotate(), 404],
  ])('a widget that was %s meanwhile shows a kind error', async (_, change, status) => {
    const { widget, tag } = await newTag()
    await visit({ body: tag })
    await change(widget)
    await launcher().click()
    const answered = page.waitForResponse(/\/chat$/)
    await say('Hello')
    expect((await answered).status()).toBe(status)
    await page.getByText('The chat is not available on this page right now.').waitFor()
    expect(await bubbles().allTextContents()).toEqual(['You: Hello'])
    const now = await tagOf(widget)
    await page.close()
    await visit({ body: now })
    expect(await launcher().count()).toBe(status === 403 ? 0 : 1)
  })

  test('a failed answer can be asked for again', async () => {
    const { tag } = await newTag()
    await visit({ body: tag })
    await launcher().click()
    rig.app.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 500 })
    await say('Do you open in the morning?')
    await page.getByText('The assistant could not answer this time.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('We open at seven every morning.').waitFor()
    expect(await bubbles().count()).toBe(2)
  })

  test('a strict policy of the page and a tag in its head, twice, are one widget', async () => {
    const { tag } = await newTag()
    const policy = `default-src 'none'; script-src ${rig.api}; connect-src ${rig.api}; require-trusted-types-for 'script'`
    await visit({ head: tag, body: `${tag}${tag}`, policy })
    await launcher().click()
    expect(await page.locator('switchboard-widget').count()).toBe(1)
    await say('Do you open in the morning?')
    await page.getByText('We open at seven every morning.').waitFor()
    expect(await launcher().evaluate((button) => getComputedStyle(button).position)).toBe('fixed')
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([])
  })

  test.each([
    [{}, 'de-AT', 'Chat öffnen'],
    [{}, 'fr', 'Ouvrir la discussion'],
    [{}, 'es-MX', 'Abrir el chat'],
    [{}, 'xx', 'Open chat'],
    [{ locale: 'fr-CA' }, 'de', 'Ouvrir la discussion'],
  ])('with %j on a page in %s it says %s', async (config, lang, name) => {
    await visit({ body: (await newTag(config)).tag, lang })
    expect(await page.getByRole('button', { name }).count()).toBe(1)
  })

  test('colours, corners and places are those that were configured, and texts stay readable', async () => {
    const { tag } = await newTag({
      position: 'top-left',
      theme: 'dark',
      border_radius: 'none',
      accent_color: '#ffe600',
      base_bg_color: 'rgb(255 255 255 / 0.9)',
      cta_button_color: 'rebeccapurple',
      cta_title: 'Ask us',
    })
    await visit({ body: tag })
    await launcher().click()
    const style = (selector: string, names: string[]) =>
      page.locator(selector).evaluate((node, wanted) => {
        const computed = getComputedStyle(node)
        return wanted.map((name) => computed.getPropertyValue(name))
      }, names)
    expect(await style('.launcher', ['background-color', 'color', 'top', 'left'])).toEqual([
      'rgb(102, 51, 153)',
      'rgb(255, 255, 255)',
      '20px',
      '20px',
    ])
    expect(await style('header', ['background-color', 'color'])).toEqual(['rgb(255, 230, 0)', 'rgb(20, 22, 28)'])
    expect(await style('.panel', ['border-radius', 'background-color', 'color'])).toEqual([
      '0px',
      'rgb(232, 232, 233)',
      'rgb(20, 22, 28)',
    ])
    expect(await launcher().textContent()).toBe('Ask us')
  })
})
