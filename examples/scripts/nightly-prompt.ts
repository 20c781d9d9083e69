import { createSwitchboard, errorOf } from 'switchboard-client'

/**
 * Writes one sentence into the prompt of every assistant, as a nightly job would: `nightly-prompt.ts "We are closed on
 * Monday."` Needs SWITCHBOARD_URL and SWITCHBOARD_KEY.
 */
const { SWITCHBOARD_URL: url = 'http://127.0.0.1:3000', SWITCHBOARD_KEY: token = '' } = process.env
const [sentence = 'We are closed on Monday.'] = process.argv.slice(2)
const { api } = createSwitchboard({ url, token })

let page = 1
let pages = 1
while (page <= pages) {
  const { data, pagination } = await api.assistants.list.query({ lite: true, page })
  pages = pagination.last_page
  for (const { assistant_id: assistantId, name } of data) {
    try {
      const model = { messages: [{ role: 'system' as const, content: sentence }] }
      await api.assistants.update.mutate({ assistantId, name, model })
      console.log(`${name}: written`)
    } catch (error) {
      const refused = errorOf(error)
      if (!refused) throw error
      console.log(`${name}: ${refused.body.message}`)
    }
  }
  page++
}
