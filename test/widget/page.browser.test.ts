import { describe, expect, test } from 'vitest'
import { executablePath } from '../support/browser.ts'
import { visitor as newVisitor } from './visitor.ts'

describe.skipIf(!executablePath)('the widget on a page of another origin', { timeout: 120_000 }, () => {
  const visitor = newVisitor()

  test('hostile values do nothing but show as text', async () => {
    const attack = `"></script><img src=x onerror="window.hit=1"><script>window.hit=1</script>`
    const { tag } = await visitor.newTag({
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
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    expect(await visitor.page.getByRole('heading', { level: 2 }).textContent()).toBe(attack)
    await visitor.page.getByRole('button', { name: 'Agree and start' }).click()
    expect(await visitor.bubbles().allTextContents()).toEqual([`Assistant: ${attack}`])
    await visitor.page.close()
    await visitor.visit({ body: tag.replace(/data-config="[^"]*"/, `data-config="${escaped}"`) })
    await visitor.launcher().click()
    expect(await visitor.page.getByRole('heading', { level: 2 }).textContent()).toBe('Chat')
    const accent = await visitor.page.locator('header').evaluate((header) => getComputedStyle(header).backgroundColor)
    expect(accent).toBe('rgb(37, 83, 226)')
    expect(await visitor.page.evaluate(() => [document.images.length, 'hit' in window])).toEqual([0, false])
    expect(visitor.complaints).toEqual([])
  })

  test('an answer is text, whatever it holds', async () => {
    const { tag } = await visitor.newTag()
    const output = [{ role: 'assistant', content: '<img src=x onerror=alert(1)> **bold**' }]
    visitor.rig.app.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 201, body: { id: 'c', output } })
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    await visitor.say('Hello')
    await visitor.reply('<img src=x onerror=alert(1)> bold')
    expect(await visitor.page.locator('.log strong').allTextContents()).toEqual(['bold'])
    expect(await visitor.page.locator('.log img').count()).toBe(0)
  })

  test('a tag that is broken leaves the page alone', async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ body: tag.replace(/data-api-url="[^"]*"/, 'data-api-url="javascript:alert(1)"') })
    expect(await visitor.page.locator('switchboard-widget').count()).toBe(0)
    expect(visitor.complaints).toEqual([])
  })

  test('what the browser keeps may be broken, too much, or refused', async () => {
    const { widget, tag } = await visitor.newTag()
    const name = `switchboard-widget:${await widget.key()}`
    const keep = (value: string) =>
      visitor.page.evaluate(([key, text]) => localStorage.setItem(key ?? '', text ?? ''), [name, value])
    await visitor.visit({ body: tag })
    for (const broken of ['{', 'null', '[]', '{"messages":[1,{"from":"me","text":"x"},{"from":"visitor"}]}']) {
      await keep(broken)
      await visitor.launcher().click()
      expect(await visitor.page.getByText('How can we help you?').count()).toBe(1)
      await visitor.page.keyboard.press('Escape')
    }
    await keep(
      JSON.stringify({ messages: Array.from({ length: 150 }, (_, at) => ({ from: 'visitor', text: `${at}` })) }),
    )
    await visitor.launcher().click()
    expect([await visitor.bubbles().count(), await visitor.bubbles().first().textContent()]).toEqual([100, 'You: 50'])
    await visitor.say('Do you open in the morning?')
    await visitor.reply('We open at seven every morning.')
    const kept = await visitor.page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '').messages, name)
    expect([kept.length, kept[0].text]).toEqual([100, '52'])

    await visitor.page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new Error('full')
      }
    })
    await visitor.page.getByRole('button', { name: 'End conversation' }).click()
    await visitor.say('And the rye bread costs?')
    await visitor.reply('Our rye bread costs four euros.')
    await visitor.page.keyboard.press('Escape')
    await visitor.launcher().click()
    expect(await visitor.bubbles().count()).toBe(2)
    expect(visitor.complaints).toEqual([])
  })

  test('a strict policy of the page and a tag in its head, twice, are one widget', async () => {
    const { tag } = await visitor.newTag()
    const policy = `default-src 'none'; script-src ${visitor.rig.api}; connect-src ${visitor.rig.api}; require-trusted-types-for 'script'`
    await visitor.visit({ head: tag, body: `${tag}${tag}`, policy })
    await visitor.launcher().click()
    expect(await visitor.page.locator('switchboard-widget').count()).toBe(1)
    await visitor.say('Do you open in the morning?')
    await visitor.reply('We open at seven every morning.')
    expect(await visitor.launcher().evaluate((button) => getComputedStyle(button).position)).toBe('fixed')
    expect(visitor.complaints.filter((text) => !text.includes('favicon'))).toEqual([])
  })

  test.each([
    [{}, 'de-AT', 'Chat öffnen'],
    [{}, 'fr', 'Ouvrir la discussion'],
    [{}, 'es-MX', 'Abrir el chat'],
    [{}, 'xx', 'Open chat'],
    [{ locale: 'fr-CA' }, 'de', 'Ouvrir la discussion'],
  ])('with %j on a page in %s it says %s', async (config, lang, name) => {
    await visitor.visit({ body: (await visitor.newTag(config)).tag, lang })
    expect(await visitor.page.getByRole('button', { name }).count()).toBe(1)
  })

  test('colours, corners and places are those that were configured, and texts stay readable', async () => {
    const { tag } = await visitor.newTag({
      position: 'top-left',
      theme: 'dark',
      border_radius: 'none',
      accent_color: '#ffe600',
      base_bg_color: 'rgb(255 255 255 / 0.9)',
      cta_button_color: 'rebeccapurple',
      cta_title: 'Ask us',
    })
    await visitor.visit({ body: tag })
    await visitor.launcher().click()
    const style = (selector: string, names: string[]) =>
      visitor.page.locator(selector).evaluate((node, wanted) => {
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
    expect(await visitor.launcher().textContent()).toBe('Ask us')
  })
})
