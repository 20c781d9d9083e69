import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { buildConsole } from '../../src/app/console/build.ts'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { executablePath, launchBrowser } from '../support/browser.ts'
import { addMonthOfCharges } from '../support/rows/charges.ts'
import { type Furnished, furnish } from './furnish.ts'
import { furnishOutside } from './furnish-outside.ts'

/**
 * Writes pictures of the console's screens to docs/images: 1280 and 390 points wide, light and, of the first, dark.
 * They show a server of their own with a demo workspace. Names given as arguments take those pictures alone.
 */
const images = join(import.meta.dirname, '../../docs/images')

interface Screen {
  name: string
  path: (made: Furnished) => string
  /** A text that is there when the screen is ready. */
  ready: string
  /** Presses the last button of this name before the picture is taken. */
  press?: string
  /** Chooses the first option of this field. */
  choose?: string
  /** Types this into the question of the search. */
  type?: string
  dark?: boolean
}

const screens: Screen[] = [
  { name: 'home', path: () => '', ready: 'What to set up', dark: true },
  { name: 'assistants', path: () => '/assistants', ready: 'Front desk' },
  { name: 'edit', path: ({ assistant }) => `/assistants/${assistant}`, ready: 'Talk to it' },
  { name: 'calls', path: ({ assistant }) => `/assistants/${assistant}?filter=calls`, ready: 'Started' },
  {
    name: 'history',
    path: ({ assistant }) => `/assistants/${assistant}?filter=history`,
    ready: 'current',
    press: 'Show changes',
  },
  { name: 'statistics', path: ({ assistant }) => `/assistants/${assistant}?filter=statistics`, ready: 'Calls by day' },
  { name: 'website', path: ({ assistant }) => `/assistants/${assistant}?filter=website`, ready: 'Tag to paste' },
  {
    name: 'webhooks',
    path: ({ assistant }) => `/assistants/${assistant}?filter=webhooks`,
    ready: 'End of call report',
  },
  { name: 'build', path: () => '/build', ready: 'Choose an industry', choose: 'Industry' },
  { name: 'agents', path: ({ agent }) => `/agents/${agent}`, ready: 'first visit costs' },
  {
    name: 'files',
    path: ({ agent }) => `/agents/${agent}?filter=files`,
    ready: 'practice-handbook.md',
    type: 'Can I come on a Saturday?',
  },
  { name: 'numbers', path: () => '/numbers', ready: 'Main line' },
  { name: 'squad', path: ({ squad }) => `/squads/${squad}`, ready: 'answers first' },
  { name: 'drift', path: () => '/drift', ready: 'After hours', press: 'After hours' },
  { name: 'rebuild', path: ({ built }) => `/build?search=${built}`, ready: 'Rebuild assistant' },
  { name: 'usage', path: () => '/usage', ready: 'By agent' },
  { name: 'tokens', path: () => '/account?filter=tokens', ready: 'signed in' },
  {
    name: 'imports',
    path: () => '/admin?filter=imports',
    ready: 'Switchboard of the old office',
    press: 'Try with everything',
  },
  { name: 'system', path: () => '/admin?filter=system', ready: 'Background work' },
  { name: 'admin', path: () => '/admin', ready: 'Tom Okafor', dark: true },
]

async function picture(browser: BrowserContext, address: string, screen: Screen, width: number, dark: boolean) {
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  await page.setViewportSize({ width, height: width < 600 ? 844 : 860 })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  await page.goto(address)
  await page.getByText(screen.ready).first().waitFor({ state: 'attached' })
  if (screen.press) await page.getByRole('button', { name: screen.press }).last().click()
  if (screen.choose) {
    await page.getByRole('combobox', { name: screen.choose }).or(page.getByLabel(screen.choose)).first().click()
    await page.getByRole('option').first().click()
    for (const answer of await page.locator('input[data-path^="answers."]').all()) await answer.fill('Monday to Friday')
  }
  if (screen.type) await page.getByRole('textbox', { name: 'Question' }).fill(screen.type)
  // Charts and the widget draw themselves.
  await page.waitForTimeout(1200)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 })
  const name = `${screen.name}-${width}${dark ? '-dark' : ''}.webp`
  await Bun.write(join(images, name), Buffer.from(data, 'base64'))
  await page.close()
  return name
}

async function main(wanted: readonly string[]): Promise<void> {
  if (!executablePath) throw new Error('There is no browser here')
  await buildConsole()
  await mkdir(images, { recursive: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'switchboard-pictures-'))
  const server = await startServer(
    readEnv({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ALLOW_PRIVATE_NETWORK: '127.0.0.1' }),
  )
  const { browser, close } = await launchBrowser()
  try {
    if (!server.adminKey) throw new Error('There is no admin key')
    const made = await furnish(server.url, server.adminKey)
    await furnishOutside(server.services, server.url, made.token)
    await addMonthOfCharges(server.services, made.workspace)
    await browser.addInitScript(([key, token]) => sessionStorage.setItem(key, token), [
      'switchboard.token',
      made.token,
    ] as const)
    for (const screen of screens.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      const address = `${server.url}/console${screen.path(made)}`
      const names = [
        await picture(browser, address, screen, 1280, false),
        await picture(browser, address, screen, 390, false),
      ]
      if (screen.dark) names.push(await picture(browser, address, screen, 1280, true))
      process.stdout.write(`${names.join(', ')}\n`)
    }
  } finally {
    await close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main(process.argv.slice(2))
process.exit(0)
