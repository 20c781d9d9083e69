import OpenAI from 'openai'

/**
 * An agent through the official OpenAI client. Needs SWITCHBOARD_URL, SWITCHBOARD_KEY and an agent's id as argument.
 */
const { SWITCHBOARD_URL: url = 'http://127.0.0.1:3000', SWITCHBOARD_KEY: apiKey = '' } = process.env
const [agent = ''] = process.argv.slice(2)

const client = new OpenAI({ baseURL: url, apiKey })
const [model] = (await client.models.list()).data
const named = { agent }
const completion = await client.chat.completions.create({
  model: model?.id ?? '',
  messages: [{ role: 'user', content: 'When do you deliver?' }],
  ...named,
})
console.log(completion.choices[0]?.message.content)
