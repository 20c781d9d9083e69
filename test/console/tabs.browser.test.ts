import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('two tabs', () => {
  const rig = consoleRig()

  test('who signs out in one is signed out in the other, which keeps nothing of theirs', async () => {
    const user = await newUser(rig.app.database)
    const { page: first, complaints } = await rig.open('/')
    await first.getByLabel('Token', { exact: true }).fill(user.token)
    await first.getByLabel('Stay signed in on this device').check()
    await first.getByRole('button', { name: 'Sign in' }).click()
    const account = { name: /^Account of / }
    await first.getByRole('button', account).waitFor()
    const { page: second, complaints: others } = await rig.open('/')
    await second.getByRole('button', account).waitFor()

    await first.getByRole('button', account).click()
    await first.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const page of [first, second]) {
      await page.getByLabel('Token', { exact: true }).waitFor()
      expect(await page.getByRole('button', account).count()).toBe(0)
    }
    expect([...complaints, ...others]).toEqual([])
  })

  test('a tab with a token of its own stays signed in', async () => {
    const user = await newUser(rig.app.database)
    const { page: own } = await rig.open('/', user)
    const account = { name: /^Account of / }
    await own.getByRole('button', account).waitFor()
    const { page: other } = await rig.open('/')
    await other.evaluate(() => {
      localStorage.setItem('switchboard.token', 'vk_other')
      localStorage.removeItem('switchboard.token')
    })
    await other.getByLabel('Token', { exact: true }).waitFor()
    expect(await own.getByRole('button', account).count()).toBe(1)
  })
})
