import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig } from './rig.ts'

describe.skipIf(!executablePath)('a test call in the console', () => {
  const rig = consoleRig()

  test('keeps the line and what was said so far when it fails', async () => {
    const user = await newUser(rig.app.database)
    const { data: made } = await rig.send(user, 'POST', '/assistants', { name: 'Desk', firstMessage: 'Good morning.' })
    const { page, complaints } = await rig.open(`/assistants/${made.assistant_id}?filter=talk`, user)
    const line = page.getByRole('textbox', { name: 'What the caller says' })
    const transcript = page.getByRole('region', { name: 'Transcript' })
    const say = async (text: string) => {
      await line.fill(text)
      await page.keyboard.press('Enter')
    }
    await say('Are you open on Friday?')
    await transcript.getByText('Good morning.').waitFor()
    const lost = /calls\.test/
    await page.route(lost, (route) => route.abort())
    await say('And on Sunday?')
    await page.getByText('The server cannot be reached.').waitFor()
    expect(await line.inputValue()).toBe('And on Sunday?')
    await transcript.getByText('Are you open on Friday?').waitFor()
    await page.unroute(lost)
    await page.getByRole('button', { name: 'Say' }).click()
    await transcript.getByText('And on Sunday?').waitFor()
    expect(await transcript.getByText('Are you open on Friday?').count()).toBe(1)
    await page.getByRole('button', { name: 'Start again' }).waitFor()
    expect(await line.inputValue()).toBe('')
    expect(complaints).toEqual([])
    await page.close()
  })
})
