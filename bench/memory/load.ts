/** Does a bit of everything that a server's users do, again and again. */
export interface Mix {
  url: string
  key: string
  /** How many requests were answered with success so far. */
  done: number
}

const pauseMs = 20
/** What is kept: the rest is deleted, so that what grows is not the data. */
const kept = 20

interface Answer {
  data: { id: string; assistant_id: string }
}

/** Calls the server; throws for anything but success. */
async function call(mix: Mix, method: string, path: string, body?: object | FormData): Promise<Answer> {
  const isForm = body instanceof FormData
  const response = await fetch(`${mix.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${mix.key}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    body: body && (isForm ? body : JSON.stringify(body)),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
  mix.done += 1
  return JSON.parse(text)
}

async function tendAssistants(mix: Mix, goesOn: () => boolean): Promise<void> {
  const ids: string[] = []
  for (let count = 0; goesOn(); count += 1) {
    const fields = { name: `Assistant ${count}`, firstMessage: 'Hello, how can I help?'.repeat(20) }
    const { data } = await call(mix, 'POST', '/assistants', fields)
    ids.push(data.assistant_id)
    await call(mix, 'PUT', `/assistants/${data.assistant_id}`, { ...fields, name: `Renamed ${count}` })
    await call(mix, 'GET', `/assistants/${data.assistant_id}`)
    await call(mix, 'GET', '/assistants?per_page=50')
    await call(mix, 'GET', '/assistants?search=Renamed')
    if (ids.length > kept) await call(mix, 'DELETE', `/assistants/${ids.shift()}`)
    await Bun.sleep(pauseMs)
  }
}

async function chat(mix: Mix, goesOn: () => boolean): Promise<void> {
  const { data: agent } = await call(mix, 'POST', '/agents', { name: 'Guide' })
  const files: string[] = []
  for (let count = 0; goesOn(); count += 1) {
    const { data: thread } = await call(mix, 'POST', `/agents/${agent.id}/chats`, {})
    for (let turn = 0; turn < 5; turn += 1) {
      const content = `What do you know of case ${count}.${turn}?`
      await call(mix, 'POST', `/agents/${agent.id}/chats/${thread.id}/messages`, { content })
    }
    await call(mix, 'GET', `/agents/${agent.id}/chats/${thread.id}/messages`)
    await call(mix, 'DELETE', `/agents/${agent.id}/chats/${thread.id}`)
    const form = new FormData()
    form.set('file', new File([`Case ${count} was closed on a Monday. `.repeat(50)], `case-${count}.txt`))
    files.push((await call(mix, 'POST', `/agents/${agent.id}/files`, form)).data.id)
    if (files.length > kept) await call(mix, 'DELETE', `/agents/${agent.id}/files/${files.shift()}`)
    await Bun.sleep(pauseMs)
  }
}

async function takeCalls(mix: Mix, goesOn: () => boolean): Promise<void> {
  const { data } = await call(mix, 'POST', '/assistants', { name: 'Called', firstMessage: 'Hello.' })
  while (goesOn()) {
    const body = { messages: ['My name is Ada.', 'Thank you, goodbye.'] }
    await call(mix, 'POST', `/assistants/${data.assistant_id}/test-calls`, body)
    await call(mix, 'GET', `/assistants/${data.assistant_id}/calls`)
    await Bun.sleep(pauseMs * 10)
  }
}

async function browse(mix: Mix, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    for (const path of ['/openapi.json', '/health', '/user', '/agents', '/squads', '/phone-numbers']) {
      await call(mix, 'GET', path)
    }
    await Bun.sleep(pauseMs)
  }
}

/** Runs the mixed load until `goesOn` says no. */
export async function mixedLoad(mix: Mix, goesOn: () => boolean): Promise<void> {
  const work = [tendAssistants, tendAssistants, chat, chat, takeCalls, browse]
  await Promise.all(work.map((one) => one(mix, goesOn)))
}
