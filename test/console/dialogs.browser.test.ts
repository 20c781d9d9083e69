import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('dialogs of the console, where the server or the finger is slow', () => {
  const rig = consoleRig()

  /** Holds requests whose address has one of these words until they are let go. */
  async function hold(page: Page, ...words: string[]) {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(
      (url) => words.some((word) => url.href.includes(word)),
      async (route) => {
        await promise
        await route.continue()
      },
    )
    return resolve
  }

  test('the catalogue shows no entry of another kind while a kind loads', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const name = `Base ${crypto.randomUUID()}`
    await rig.send(operator, 'POST', '/admin/base-configs', { name, config: {} })
    const { page, complaints } = await rig.open('/admin?filter=catalogue', operator)
    const kind = (label: string) => page.getByText(label, { exact: true }).last().click()
    await kind('Base configs')
    await page.getByRole('button', { name }).waitFor()
    const letGo = await hold(page, 'admin.tools.list')
    await kind('Tools')
    await page.getByRole('button', { name }).waitFor({ state: 'hidden', timeout: 5_000 })
    letGo()
    await page.getByRole('button', { name: 'New entry' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a token that is shown once stays until it is said to be done with', async () => {
    const operator = await newUser(rig.app.database, { role: 'admin' })
    const { page, complaints } = await rig.open('/admin', operator)
    const outside = () => page.mouse.click(5, 5)
    const email = `${crypto.randomUUID()}@example.com`
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora Field')
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill(email)
    await page.getByRole('button', { name: 'Create user and token' }).click()
    const made = page.getByText('Nora Field can sign in with this token')
    await made.waitFor()
    await outside()
    await page.keyboard.press('Escape')
    await page.waitForTimeout(500)
    expect(await made.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Done' }).click()
    await made.waitFor({ state: 'hidden' })

    await page.getByRole('textbox', { name: 'Search by name or e-mail address' }).fill(email)
    await page.getByRole('cell', { name: email }).getByRole('button').click()
    const more = page.getByRole('button', { name: 'New token' })
    await more.click()
    const shown = page.getByText('Shown this once')
    await shown.waitFor()
    expect(await more.isDisabled()).toBe(true)
    await outside()
    await page.keyboard.press('Escape')
    await page.waitForTimeout(500)
    expect(await shown.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Done' }).click()
    await shown.waitFor({ state: 'hidden' })
    await page.getByText('Console', { exact: false }).first().waitFor()
    expect(await more.isEnabled()).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each([
    ['/agents', 'New agent', 'Create agent', '/agents'],
    ['/squads', 'New squad', 'Create draft', '/squads'],
    ['/assistants', 'New assistant', 'Create assistant', '/assistants'],
  ])('%s: a second click makes no second one', async (path, open, create, list) => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open(path, user)
    await page.getByRole('button', { name: open }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Twice')
    // The screen that it leads to is still loaded when the first response is there.
    const letGo = await hold(page, '/console/assets/')
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: create }).click()
    await answered
    await page.waitForTimeout(300)
    await page.getByRole('button', { name: create }).click({ force: true })
    letGo()
    await page.getByRole('heading', { name: 'Twice' }).waitFor()
    expect((await rig.send(user, 'GET', list)).data).toHaveLength(1)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a new assistant whose prompt the server refuses says so at the prompt, and is not closed unasked', async () => {
    const user = await newUser(rig.app.database)
    const { page, complaints } = await rig.open('/assistants?filter=new', user)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Front desk')
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('x'.repeat(100_001))
    await page.getByRole('button', { name: 'Create assistant' }).click()
    await expect.poll(() => prompt.getAttribute('aria-invalid')).toBe('true')
    await page.getByText(/at most 100000 characters/).waitFor()
    const answers = ['dismiss', 'accept'] as const
    const asked: string[] = []
    page.on('dialog', async (question) => {
      await question[answers[asked.length] ?? 'accept']()
      asked.push(question.message())
    })
    const dialog = page.getByRole('dialog', { name: 'New assistant' })
    await page.keyboard.press('Escape')
    await expect.poll(() => asked).toHaveLength(1)
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(asked).toHaveLength(2)
    expect(complaints).toEqual([])
    await page.close()
  })
})
