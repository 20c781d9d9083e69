import { describe, expect, test } from 'vitest'
import { executablePath } from '../support/browser.ts'
import { visitor as newVisitor } from './visitor.ts'

describe.skipIf(!executablePath)('the widget under the styles of a page', { timeout: 120_000 }, () => {
  const visitor = newVisitor()

  test('styles that a page gives to every element stay outside', async () => {
    const { tag } = await visitor.newTag({ cta_title: 'Ask us' })
    const inherited = `text-transform: uppercase; direction: rtl; letter-spacing: 9px; word-spacing: 9px; color: red;
      font: italic 40px/3 serif; text-align: right; visibility: hidden; cursor: wait; pointer-events: none;
      writing-mode: vertical-rl; text-shadow: 1px 1px red; white-space: pre; list-style: square; quotes: none;`
    // On the page itself these would move the widget's surroundings, whatever it does.
    const others =
      'transform: scale(2); filter: invert(1); opacity: .3; clip-path: inset(40%); zoom: 2; contain: paint;'
    const sheet = `* { ${inherited} } body * { ${others} }`
    const looks = async (head: string) => {
      await visitor.visit({ head, body: tag })
      await visitor.page.locator('switchboard-widget').evaluate((host) => {
        host.shadowRoot?.querySelector<HTMLElement>('.launcher')?.click()
      })
      await visitor.page.locator('switchboard-widget').evaluate(() => document.fonts.ready)
      const found = await visitor.page.locator('switchboard-widget').evaluate((host) =>
        ['.launcher', '.panel', 'h2', '.log', 'textarea', '.send'].map((selector) => {
          const node = host.shadowRoot?.querySelector(selector)
          if (!node) return [selector]
          for (const animation of node.getAnimations()) animation.finish()
          const { x, y, width, height } = node.getBoundingClientRect()
          const computed = getComputedStyle(node)
          const styles = Object.fromEntries([...computed].map((name) => [name, computed.getPropertyValue(name)]))
          return [selector, x, y, width, height, styles]
        }),
      )
      await visitor.page.close()
      return found
    }
    const plain = await looks('')
    expect(await looks(`<style>${sheet}</style>`)).toEqual(plain)
    expect(await looks(`<style>${sheet.replaceAll(';', ' !important;')}</style>`)).toEqual(plain)
  })

  /** What a page may say of what stands in its body, of everything, or of the widget alone. */
  const ofAll = (declarations: string) => `body > *, switchboard-widget { ${declarations} }`
  const ofBody = (declarations: string) => `body { ${declarations} }`
  const ofRoot = (declarations: string) => `html { ${declarations} }`
  const registered = (name: string, syntax: string, value: string) =>
    `@property --${name} { syntax: '<${syntax}>'; inherits: false; initial-value: ${value}; }`
  const zooms = [ofRoot('zoom: 1.25;'), ofRoot('zoom: 1.5;'), ofRoot('zoom: .8;'), ofBody('zoom: 1.25;')]
  const sheets = [
    ofAll('position: relative; z-index: 1;'),
    ofAll('isolation: isolate;'),
    ofAll('view-transition-name: all;'),
    ofAll('transform-style: preserve-3d;'),
    ofAll('mix-blend-mode: difference; will-change: transform;'),
    ofAll('position: absolute; clip: rect(0, 0, 0, 0);'),
    ofAll('-webkit-mask-box-image: linear-gradient(transparent, transparent);'),
    ofAll('offset: path("M0 0 L 200 200") 100%;'),
    ofAll('content-visibility: hidden; contain: strict;'),
    ofAll('overflow: clip; width: 0; height: 0; position: fixed;'),
    ofAll('display: contents;'),
    ofAll('--edge: 300px; --launcher: 9px; --switchboard-edge: 300px; --switchboard-launcher: 9px;'),
    'switchboard-widget { interactivity: inert; }',
    'switchboard-widget { animation: away 1s forwards; } @keyframes away { to { translate: -900px; z-index: 0; } }',
    ofBody('transform: translateX(0);'),
    ofBody('filter: grayscale(0);'),
    ofBody('will-change: transform; perspective: 100px; container-type: inline-size;'),
    ofBody('position: relative; z-index: 2147483647;'),
    ofRoot('transform: translateY(10px);'),
    ofRoot('display: grid; gap: 40px; will-change: transform;'),
    ...zooms,
  ]
  const properties = [
    registered('edge', 'length', '0px'),
    registered('launcher', 'length', '0px'),
    registered('radius', 'length', '0px'),
    registered('button', 'color', 'lime'),
    registered('text', 'color', 'white'),
    registered('width', 'percentage', '0%'),
  ]

  const cover = '<div style="position: fixed !important; inset: 0; z-index: 5 !important; background: white"></div>'

  /**
   * Where the button is, how it looks and what a click there meets, under no style of the page and under each of these.
   */
  const looksUnder = async (sheets: string[], head = '') => {
    const { tag } = await visitor.newTag({ cta_title: 'Ask us' })
    await visitor.visit({ head: `${head}<style>body { height: 4000px }</style>`, body: `${cover}${tag}` })
    await visitor.launcher().waitFor()
    const looks = await visitor.launcher().evaluate(
      async (button, all) => {
        const style = document.head.appendChild(document.createElement('style'))
        const looks = []
        for (const css of all) {
          style.textContent = css
          for (const _frame of [1, 2]) await new Promise(requestAnimationFrame)
          const { x, y, width, height } = button.getBoundingClientRect()
          const { color, backgroundColor, borderRadius, fontSize } = getComputedStyle(button)
          const above = document.elementFromPoint(x + width / 2, y + height / 2)?.localName
          looks.push({ css, x, y, width, height, color, backgroundColor, borderRadius, fontSize, above })
        }
        return looks
      },
      ['', ...sheets],
    )
    const [plain] = looks
    expect(plain?.above).toBe('switchboard-widget')
    return { looks, plain: looks.map(({ css }) => ({ ...plain, css })) }
  }

  test('nothing that a page says moves, hides or covers the button', async () => {
    const strong = sheets.map((css) => css.replaceAll(';', ' !important;'))
    const { looks, plain } = await looksUnder([...sheets, ...strong, ...properties])
    expect(looks).toEqual(plain)
  })

  test('neither does it in a browser without a top layer, but for styles of the root element', async () => {
    const untouched = sheets.filter((css) => !/^html(?!.*zoom)|2147483647/.test(css))
    const script = '<script>delete HTMLElement.prototype.showPopover</script>'
    const { looks, plain } = await looksUnder([...untouched, ...properties], script)
    expect(looks).toEqual(plain)
  })

  test.each(['', ...zooms])('the open panel stays whole in the window: %s', async (css) => {
    const { tag } = await visitor.newTag({ cta_title: 'Ask us' })
    await visitor.visit({ head: `<style>${css}</style>`, body: tag })
    const panel = () =>
      visitor.page.locator('switchboard-widget .panel').evaluate((node) => {
        for (const animation of node.getAnimations()) animation.finish()
        const { left, top, right, bottom } = node.getBoundingClientRect()
        return { left, top, right, bottom }
      })
    const sizes = [
      [
        { width: 1000, height: 800 },
        { left: 596, top: 106, right: 980, bottom: 706 },
      ],
      [
        { width: 1000, height: 500 },
        { left: 596, top: 20, right: 980, bottom: 406 },
      ],
      [
        { width: 400, height: 500 },
        { left: 0, top: 0, right: 400, bottom: 500 },
      ],
    ] as const
    for (const [size, place] of sizes) {
      await visitor.page.setViewportSize(size)
      await visitor.launcher().click()
      expect(await panel()).toEqual(place)
      await visitor.dialog().getByRole('button', { name: 'Close' }).click()
      await visitor.dialog().waitFor({ state: 'hidden' })
    }
    expect(visitor.complaints).toEqual([])
  })

  test('a page may hide it', async () => {
    const { tag } = await visitor.newTag()
    await visitor.visit({ head: '<style>switchboard-widget { display: none }</style>', body: tag })
    await visitor.launcher().waitFor({ state: 'attached' })
    expect(await visitor.launcher().isVisible()).toBe(false)
  })
})
