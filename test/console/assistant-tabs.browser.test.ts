import { describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { executablePath } from '../support/browser.ts'
import { consoleRig, expectAccessible } from './rig.ts'

describe.skipIf(!executablePath)("an assistant's screen", () => {
  const rig = consoleRig()

  async function assistantOf(body: object = {}) {
    const user = await newUser(rig.app.database)
    const { data } = await rig.send(user, 'POST', '/assistants', { name: 'Front desk', ...body })
    return { user, id: String(data.assistant_id) }
  }

  test('a test call goes on line by line, and is among the calls with its transcript and in the statistics', async () => {
    const { user, id } = await assistantOf({
      firstMessage: 'Hello there.',
      metadata: { webhook_url: `${rig.url}/hooks` },
    })
    const { page, complaints } = await rig.open(`/assistants/${id}?filter=talk`, user)
    const line = page.getByRole('textbox', { name: 'What the caller says' })
    await line.fill('Do you open on Friday?')
    await page.getByRole('button', { name: 'Say', exact: true }).click()
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await transcript.getByText('Hello there.').waitFor()
    await page.getByText('Webhooks of this call').waitFor()
    await line.fill('And on Monday?')
    await line.press('Enter')
    await transcript.getByText('And on Monday?').waitFor()
    await transcript.getByText('Do you open on Friday?').waitFor()
    await expectAccessible(page)

    await page.getByRole('tab', { name: 'Calls' }).click()
    await page.getByRole('table').getByRole('button').first().click()
    await page.getByRole('dialog').getByText('And on Monday?').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.getByRole('tab', { name: 'Statistics' }).click()
    await page.getByText('Calls by day').waitFor()
    await expectAccessible(page)

    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('table').getByRole('button', { name: 'End of call report' }).first().click()
    await page.getByRole('dialog').getByText('"endedReason"').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Delivery queued again').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test("what a website's visitor wrote is read and deleted", async () => {
    const { user, id } = await assistantOf({ firstMessage: 'Hello there.' })
    const { data } = await rig.send(user, 'GET', `/assistants/${id}/embed`)
    await rig.send(user, 'POST', `/widget/${data.public_key}/chat`, { message: 'Do you sell bread?' })
    const { page, complaints } = await rig.open(`/assistants/${id}?filter=conversations`, user)
    await page.getByRole('table').getByRole('button', { name: 'Do you sell bread?' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('region', { name: 'Transcript' }).getByText('Do you sell bread?').waitFor()
    await dialog.getByText('Visitor', { exact: true }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete conversation' }).click()
    await page.getByText('No visitor wrote yet').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a changed prompt is shown as a difference and restored', async () => {
    const prompt = (content: string) => ({ name: 'Front desk', model: { messages: [{ role: 'system', content }] } })
    const { user, id } = await assistantOf(prompt('Be kind.\nBe brief.'))
    await rig.send(user, 'PUT', `/assistants/${id}`, prompt('Be kind.\nTake your time.'))
    const { page, complaints } = await rig.open(`/assistants/${id}?filter=history`, user)
    await page.getByRole('button', { name: 'Show changes' }).first().click()
    await page.locator('del', { hasText: 'Be brief.' }).first().waitFor()
    await page.locator('ins', { hasText: 'Take your time.' }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Assistant restored successfully').waitFor()
    const { data } = await rig.send(user, 'GET', `/assistants/${id}`)
    expect(data.model.messages).toEqual([{ role: 'system', content: 'Be kind.\nBe brief.' }])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the widget is shown as it will look, and talks', async () => {
    const { user, id } = await assistantOf()
    const { page, complaints } = await rig.open(`/assistants/${id}?filter=website`, user)
    await page.getByRole('textbox', { name: 'Title' }).fill('Harbour Dental')
    await page
      .getByRole('combobox', { name: 'Pages that may use it' })
      .or(page.getByLabel('Pages that may use it'))
      .first()
      .fill('no origin')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('must be an origin such as https://www.example.com.').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Harbour Dental')
    const frame = page.frameLocator('iframe')
    await frame.getByText('Harbour Dental').first().waitFor({ state: 'attached' })
    await frame.getByRole('button').first().click()
    await frame.getByText('Harbour Dental').first().waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The widget is saved.').waitFor()
    const { data } = await rig.send(user, 'GET', `/assistants/${id}/embed`)
    expect(data.embed_config.title).toBe('Harbour Dental')
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await page.close()
  })
})
