import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

const away = 'The server cannot be reached'

describe.skipIf(!executablePath)('while the server is away', () => {
  const rig = consoleRig()

  const offline = async (page: Page) => {
    await page.context().setOffline(true)
    return () => page.context().setOffline(false)
  }
  const refused = async (page: Page) => {
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    return () => page.unroute('**/*')
  }
  const behindProxy = async (page: Page) => {
    await page.route('**/*', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' }))
    return () => page.unroute('**/*')
  }

  test.each([
    ['stopped', refused],
    ['out of reach of the device', offline],
    ['missed by its proxy', behindProxy],
  ])('%s: the console says so, keeps what is typed, and goes on by itself', async (_, leave) => {
    const user = await newUser(rig.app.database)
    const { data: made } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk' })
    const { page, complaints } = await rig.open(`/assistants/${made.assistant_id}`, user)
    const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
    await prompt.fill('Be brief.')
    const comeBack = await leave(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    const notice = page.getByRole('alert').filter({ hasText: away })
    await notice.first().waitFor()
    expect(await prompt.inputValue()).toBe('Be brief.')
    await comeBack()
    await page.getByText('The server is back').waitFor()
    expect(await prompt.inputValue()).toBe('Be brief.')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Assistant updated successfully').waitFor()

    // A screen that was not opened before, and a tab of it.
    const leaveAgain = await leave(page)
    await page.getByRole('link', { name: 'Agents', exact: true }).click()
    await notice.first().waitFor()
    await leaveAgain()
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor()
    await page.getByRole('button', { name: 'New agent' }).first().waitFor()
    await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.close()
  })
})
