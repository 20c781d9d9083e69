import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const places = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

/** The browser of this machine; without one the tests in it are skipped. */
export const executablePath = places.find((path) => existsSync(path))

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let shared: Promise<BrowserContext> | undefined

/**
 * The browser of this worker, for the tests of a file; `close` closes the pages that they opened. It ends with the
 * worker, and the next one takes its profile away.
 */
export async function openBrowser(): Promise<{ browser: BrowserContext; close(): Promise<void> }> {
  shared ??= launch(freshProfile())
  const browser = await shared
  const before = new Set(browser.pages())
  return {
    browser,
    async close() {
      for (const page of browser.pages()) if (!before.has(page)) await page.close()
    },
  }
}

/** Starts one with a profile of its own; `close` ends it and takes the profile away. */
export async function launchBrowser(): Promise<{ browser: BrowserContext; close(): Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'switchboard-browser-'))
  const browser = await launch(profile)
  return {
    browser,
    async close() {
      await browser.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

const launch = (profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, { executablePath, args, headless: true })

/** A profile of this process; those of processes that have ended go. */
function freshProfile(): string {
  const name = 'switchboard-worker-browser-'
  for (const found of readdirSync(tmpdir())) {
    if (found.startsWith(name) && !isRunning(Number(found.slice(name.length)))) {
      rmSync(join(tmpdir(), found), { recursive: true, force: true })
    }
  }
  return join(tmpdir(), `${name}${process.pid}`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
