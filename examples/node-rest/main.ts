/** An assistant over REST, with nothing but `fetch`: made, called, read. Needs SWITCHBOARD_URL and SWITCHBOARD_KEY. */
const { SWITCHBOARD_URL: url = 'http://127.0.0.1:3000', SWITCHBOARD_KEY: key = '' } = process.env

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`)
  return answer.data
}

const assistant = await call<{ assistant_id: string }>('POST', '/assistants', {
  name: 'Front desk',
  firstMessage: 'Hello, how can I help?',
  model: { messages: [{ role: 'system', content: 'We open at eight on weekdays.' }] },
})
const path = `/assistants/${assistant.assistant_id}`
const { transcript } = await call<{ transcript: string }>('POST', `${path}/test-calls`, {
  messages: ['When do you open on weekdays?'],
})
console.log(transcript)
await call('DELETE', path)
