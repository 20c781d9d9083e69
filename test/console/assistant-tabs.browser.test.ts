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

  test('what an assistant told about its calls is found after it was deleted', async () => {
    const { user, id } = await assistantOf({ metadata: { webhook_url: `${rig.url}/hooks` } })
    await rig.send(user, 'POST', `/assistants/${id}/test-calls`, { messages: ['Hello'] })
    await rig.send(user, 'DELETE', `/assistants/${id}`)
    const { page, complaints } = await rig.open('/deliveries', user)
    await page.getByRole('table').getByRole('button', { name: 'End of call report' }).first().click()
    await page.getByRole('dialog').getByText('"endedReason"').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await page.getByRole('combobox', { name: 'Calls of' }).click()
    await page.getByRole('option', { name: 'No assistant' }).click()
    await page.getByText('Nothing was sent').waitFor()
    await page.getByRole('combobox', { name: 'Calls of' }).click()
    await page.getByRole('option', { name: 'The whole workspace' }).click()
    await page.getByRole('table').getByRole('button', { name: 'End of call report' }).first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what the server refuses of the widget is said at the field; a newer console asks to be loaded', async () => {
    const { user, id } = await assistantOf()
    const { page, complaints } = await rig.open(`/assistants/${id}?filter=website`, user)
    await page
      .getByRole('combobox', { name: 'Pages that may use it' })
      .or(page.getByLabel('Pages that may use it'))
      .first()
      .fill('no origin')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('must be an origin such as https://www.example.com.').waitFor()
    expect(complaints).toEqual([])

    // The server is upgraded meanwhile: the parts of the older console are gone.
    await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404, body: '' }))
    page.once('dialog', (dialog) => dialog.accept())
    await page.getByRole('tab', { name: 'Statistics' }).click()
    await page.getByText('The server has a newer console').waitFor()
    await page.unroute('**/console/assets/**')
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await page.getByText('Calls by day').waitFor()
    await page.close()
  })

  test('two versions are compared, at an address of its own', async () => {
    const { user, id } = await assistantOf({ model: { messages: [{ role: 'system', content: 'Be kind.' }] } })
    const save = (body: object) => rig.send(user, 'PUT', `/assistants/${id}`, { name: 'Front desk', ...body })
    const prompt = (content: string) => ({ model: { messages: [{ role: 'system', content }] } })
    await save(prompt('Be kind.\nBe brief.'))
    await save({ ...prompt('Be kind.\nBe brief.\nSay the price.'), voice: { speed: 1.5 } })
    const { page, complaints } = await rig.open(`/assistants/${id}?filter=history`, user)
    const first = page.getByRole('button', { name: 'Compare', exact: true }).first()
    await first.press('Enter')
    await page.getByText('Choose a second version').waitFor()
    const chosen = page.getByRole('button', { name: 'Compare', exact: true, pressed: true })
    expect(await chosen.evaluate((node) => node === document.activeElement)).toBe(true)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Compare with this' }).last().click()
    const { data: entries } = await rig.send(user, 'GET', `/assistants/${id}/update-log`)
    await page.waitForURL(`**/assistants/${id}?filter=history&from=${entries[2].id}&to=${entries[0].id}`)
    await page.reload()
    await page.getByRole('heading', { name: /^From .* to / }).waitFor()
    await page.getByText('Set voice to {"speed":1.5}.').waitFor()
    const prompts = page.locator('.difference').first()
    expect(await prompts.locator('ins').allTextContents()).toEqual(['Be brief.\nSay the price.'])
    expect(await prompts.locator('del').count()).toBe(0)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await expect
      .poll(async () => (await rig.send(user, 'GET', `/assistants/${id}`)).data.model.messages[0].content)
      .toBe('Be kind.')
    await page.getByRole('button', { name: 'Back to the history' }).click()
    await page.getByRole('button', { name: 'Compare', exact: true }).first().click()
    await page.getByRole('button', { name: 'Do not compare' }).click()
    expect(await page.getByRole('button', { name: 'Compare with this' }).count()).toBe(0)
    await page.goto(`${rig.url}/console/assistants/${id}?filter=history&from=${entries[0].id}&to=${entries[0].id}`)
    await page.getByText('Both versions say the same.').waitFor()
    await page.goto(`${rig.url}/console/assistants/${id}?filter=history&from=${entries[0].id}&to=1999999999`)
    await page.getByText('Version not found').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('every text and colour of the widget has a field, and what is refused is opened', async () => {
    const { user, id } = await assistantOf()
    const { page, complaints } = await rig.open(`/assistants/${id}?filter=website`, user)
    await page.getByRole('button', { name: 'Button and other texts' }).click()
    const texts = {
      cta_title: ['Text of the button', 'Ask us'],
      cta_subtitle: ['Second line of the button', 'We answer at once'],
      chat_empty_message: ['Where nothing was said yet', 'Go ahead.'],
      end_button_text: ['Button that ends the conversation', 'Done'],
      consent_title: ['Title of the question', 'May we?'],
      start_button_text: ['Button that agrees', 'Yes'],
    }
    await page.getByRole('switch', { name: 'Ask for consent first' }).check()
    for (const [label = '', text = ''] of Object.values(texts)) await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel('Colour of the button').first().fill('#112233')
    await expectAccessible(page)
    await page.getByLabel('Text of the button', { exact: true }).fill('x'.repeat(300))
    await page.getByRole('button', { name: 'Button and other texts' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(/255 characters/).waitFor()
    await page.getByLabel('Text of the button', { exact: true }).fill('Ask us')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The widget is saved.').waitFor()
    const { data } = await rig.send(user, 'GET', `/assistants/${id}/embed`)
    expect(data.embed_config).toMatchObject({
      cta_button_color: '#112233',
      ...Object.fromEntries(Object.entries(texts).map(([name, [, text]]) => [name, text])),
    })
    expect(complaints).toEqual([])
    await page.close()
  })
})
