import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { tabs as accountTabs } from '../../src/console/screens/account/tabs.ts'
import { tabs as adminTabs } from '../../src/console/screens/admin/tabs.ts'
import { tabs as agentTabs } from '../../src/console/screens/agents/tabs.ts'
import { tabs as assistantTabs } from '../../src/console/screens/assistants/tabs.ts'
import type { Furnished } from './furnish.ts'

const routes = readFileSync(join(import.meta.dirname, '../../src/console/routes.tsx'), 'utf8')

/** Of the workspaces the one is shown that has something to press. */
export const adminPath = (tab: string) => `/admin?filter=${tab}${tab === 'workspaces' ? '&search=Harbour' : ''}`

/**
 * Every screen of the console with each of its tabs, as addresses below it. Throws for a route without what it shows.
 */
export function screensOf({ assistant, agent, squad }: Furnished): string[] {
  const tabbed: Record<string, string[]> = {
    '/assistants/$assistantId': assistantTabs.map(({ value }) => `/assistants/${assistant}?filter=${value}`),
    '/agents/$agentId': agentTabs.map(({ value }) => `/agents/${agent}?filter=${value}`),
    '/squads/$squadId': [`/squads/${squad}`],
    '/account': accountTabs.map(({ value }) => `/account?filter=${value}`),
    '/admin': adminTabs.map(({ value }) => adminPath(value)),
  }
  const paths = [...routes.matchAll(/ path: '([^']+)'/g)].map(([, path = '']) => path)
  return paths.flatMap((path) => {
    const shown = tabbed[path] ?? [path]
    if (shown.some((address) => address.includes('$'))) throw new Error(`What does ${path} show?`)
    return shown
  })
}

/**
 * What a reader cannot come to without scrolling the page sideways, or at all: how far the page goes beyond the
 * window's edge, and what can be pressed there, or beyond its card's, outside of parts that scroll by themselves. Empty where everything is in
 * sight.
 */
export const beyondTheEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const scrolls = (node: Element | null): boolean =>
      node !== null && (/auto|scroll/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement))
    const cut = [...document.querySelectorAll('button:not(.skip), a, input, textarea, h1, h2')].filter((node) => {
      const { left, right, width } = node.getBoundingClientRect()
      // A card hides what is wider than itself.
      const edge = node.closest('.mantine-Card-root')?.getBoundingClientRect().right ?? clientWidth
      const isOut = right > Math.min(edge, clientWidth) + 1 || left < -1
      return width > 1 && isOut && node.checkVisibility({ visibilityProperty: true }) && !scrolls(node.parentElement)
    })
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} of ${clientWidth} pixels wide`] : []),
      ...cut.map((node) => node.outerHTML.slice(0, 200)),
    ]
  })
