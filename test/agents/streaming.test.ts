import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AppRouter, createSwitchboard, errorOf, type MessageEvent } from '../../packages/client/src/index.ts'
import { visibleText, withoutReasoning } from '../../src/language-model/reasoning.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { listening, until } from '../support/listening.ts'
import { openHolds } from '../support/payer.ts'
import { storedMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer, type Piece } from './fake-model-server.ts'

let fake: FakeModelServer
let app: TestApp
let server: ReturnType<typeof listening>
let caller: Caller
let token: string
let workspaceId: number
let agentId: string

beforeAll(async () => {
  fake = fakeModelServer()
  app = await testApp({ models: fake.models, remember: false })
  server = listening(app)
  ;({ token, workspaceId } = await newUser(app.database))
  caller = callerOf(app, token)
  agentId = await caller.agent()
})
afterAll(async () => {
  await server.stop()
  await fake.stop()
})
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
})

const stored = (chatId: string) => storedMessages(app.database, chatId)

interface Sent {
  event: string
  data: Record<string, unknown>
}

function stream(chatId: string, content: string, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(`${server.url}/agents/${agentId}/chats/${chatId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ content }),
    signal,
  })
}

async function eventsOf(response: Response): Promise<Sent[]> {
  const found: Sent[] = []
  const text = response.body?.pipeThrough<string>(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
  const reader = text?.pipeThrough(new EventSourceParserStream()).getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    found.push({ event: part.value.event ?? '', data: JSON.parse(part.value.data || '{}') })
  }
  return found
}

/** The text that the events of a stream make. */
const textOf = (events: { event: string; data: Record<string, unknown> }[]) =>
  events.reduce((text, { event, data }) => {
    if (event === 'restart') return ''
    return event === 'delta' ? text + String(data.text) : text
  }, '')

describe('over REST', () => {
  test('the pieces come as they are written, then the stored message', async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ pieces: [' We open', ' at', ' eight. '] })
    const response = await stream(chatId, 'When do you open?')
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'private, no-store',
    ])
    const events = await eventsOf(response)
    expect(events.slice(0, -1)).toEqual([
      { event: 'delta', data: { text: 'We open' } },
      { event: 'delta', data: { text: ' at' } },
      { event: 'delta', data: { text: ' eight.' } },
    ])
    const [user, reply] = await stored(chatId)
    expect(events.at(-1)).toMatchObject({
      event: 'message',
      data: {
        object: 'message',
        data: {
          user_message: { id: user?.id, content: 'When do you open?' },
          assistant_message: { id: reply?.id, content: 'We open at eight.', usage: { total_tokens: 27 } },
        },
        model: 'fake-1',
      },
    })
    expect(fake.received[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  describe('reasoning', () => {
    const secret = 'They want the hours'
    const halves = (text: string) => text.split(/(?<=^<thi|^.{20}|<\/th)/s)
    const whole = `<think>${secret}, so I look.</think>\n\nWe open at eight.`

    test.each<[string, Piece[]]>([
      ['between tags', [whole]],
      ['between tags that are split', halves(whole)],
      ['one character after the other', [...whole]],
      ['of its own', [{ reasoning: secret }, { reasoning: ', so I look.' }, 'We open', ' at eight.']],
    ])('%s is in no event and in no message', async (_name, pieces) => {
      const chatId = await caller.chat(agentId)
      fake.script.push({ pieces })
      const events = await eventsOf(await stream(chatId, 'When do you open?'))
      expect(events.map(({ event }) => event)).not.toContain('restart')
      expect(JSON.stringify(events)).not.toMatch(/They|want|look|think/)
      expect(textOf(events)).toBe('We open at eight.')
      expect((await stored(chatId)).at(-1)?.content).toBe('We open at eight.')
    })

    test('whose opening tag the server has swallowed is taken back by a restart', async () => {
      const chatId = await caller.chat(agentId)
      fake.script.push({ pieces: [secret, ', so I look.\n</th', 'ink>\n\nWe open', ' at eight.'] })
      const events = await eventsOf(await stream(chatId, 'When do you open?'))
      const taken = events.findIndex(({ event }) => event === 'restart')
      expect(taken).toBeGreaterThan(0)
      expect(JSON.stringify(events.slice(taken))).not.toContain('They')
      expect(textOf(events)).toBe('We open at eight.')
      expect((await stored(chatId)).at(-1)?.content).toBe('We open at eight.')
    })
  })

  test('who prefers JSON gets it, whatever else is accepted', async () => {
    const chatId = await caller.chat(agentId)
    const less = ['text/event-stream;q=0, */*', 'text/event-stream;q=0.1, application/json;q=0.9']
    for (const accept of ['application/json, text/event-stream', '*/*', 'text/plain', ...less]) {
      const response = await stream(chatId, 'Hello', { accept })
      expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8'])
    }
  })

  test('who prefers a stream gets one, wherever its type stands', async () => {
    const accept = 'application/json;q=0.5, text/event-stream'
    fake.script.push({ pieces: ['Hi.'] })
    const response = await stream(await caller.chat(agentId), 'Hello', { accept })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    await response.body?.cancel()
  })

  test.each([
    ['an empty message', '', 422, { message: 'The content field is required.' }],
    ['a model that fails', 'Hello', 422, { error: true, content: 'Hello' }],
  ])('%s is answered as without a stream', async (_name, content, status, body) => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ status: 400 })
    const response = await stream(chatId, content)
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8'])
    expect(await response.json()).toMatchObject(body)
    expect(await stored(chatId)).toEqual([])
  })

  test('a reply that breaks off ends with an error, and nothing is stored', async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ pieces: ['We open', ' at'], after: 'cut' })
    const events = await eventsOf(await stream(chatId, 'When do you open?'))
    expect(events[0]).toEqual({ event: 'delta', data: { text: 'We open' } })
    expect(events.at(-1)).toEqual({
      event: 'error',
      data: {
        status: 422,
        body: {
          error: true,
          message: 'The assistant could not generate a response. Please try again.',
          content: 'When do you open?',
        },
      },
    })
    expect(await stored(chatId)).toEqual([])
  })

  test('under an Idempotency-Key the second request gets the kept message', async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ pieces: ['Only', ' once.'] })
    const headers = { 'idempotency-key': chatId }
    const fresh = await stream(chatId, 'Hello', headers)
    const first = await eventsOf(fresh)
    const again = await stream(chatId, 'Hello', headers)
    expect([fresh, again].map((response) => response.headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(textOf(first)).toBe('Only once.')
    expect(await eventsOf(again)).toEqual([first.at(-1)])
    const asJson = await stream(chatId, 'Hello', { ...headers, accept: 'application/json' })
    expect([asJson.headers.get('idempotency-replayed'), await asJson.json()]).toEqual(['true', first.at(-1)?.data])
    expect(await stored(chatId)).toHaveLength(2)
    expect(fake.received).toHaveLength(1)
  })

  describe.each([
    ['sent again', {}],
    ['with its Idempotency-Key sent again', { 'idempotency-key': crypto.randomUUID() }],
  ])('the same message %s while the first runs', (_name, headers) => {
    /** A stream that has given its first piece, and one that has joined it. */
    async function joined() {
      const chatId = await caller.chat(agentId)
      const gate = Promise.withResolvers<void>()
      fake.script.push({ pieces: ['We open', ' at', ' eight.'], until: gate.promise })
      const leaving = new AbortController()
      const first = await stream(chatId, 'When do you open?', headers, leaving.signal)
      const second = await stream(chatId, 'When do you open?', headers)
      return { chatId, gate, leaving, first, second }
    }
    const all = [
      { text: 'We open' },
      { text: ' at' },
      { text: ' eight.' },
      expect.objectContaining({ model: 'fake-1' }),
    ]

    test('joins it: all the text from its beginning, one call of the model, one turn', async () => {
      const { chatId, gate, first, second } = await joined()
      gate.resolve()
      const [here, there] = await Promise.all([eventsOf(first), eventsOf(second)])
      expect(here.map(({ data }) => data)).toEqual(all)
      expect(there).toEqual(here)
      expect(fake.received).toHaveLength(1)
      expect(await stored(chatId)).toHaveLength(2)
    })

    test('goes on when the first leaves', async () => {
      const { chatId, gate, leaving, second } = await joined()
      leaving.abort()
      gate.resolve()
      expect((await eventsOf(second)).map(({ data }) => data)).toEqual(all)
      expect(fake.received).toHaveLength(1)
      expect(await stored(chatId)).toHaveLength(2)
    })
  })

  test('a client that leaves ends the turn: nothing is stored, held or charged', async () => {
    const chatId = await caller.chat(agentId)
    const before = fake.state.aborted
    fake.script.push({ pieces: ['We open'], after: 'hang' })
    const leaving = new AbortController()
    const response = await stream(chatId, 'When do you open?', {}, leaving.signal)
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('We open')
    leaving.abort()
    await until(() => fake.state.aborted > before)
    fake.script.push({ reply: 'Again.' })
    expect((await caller.post(`/agents/${agentId}/chats/${chatId}/messages`, { content: 'Hello' })).status).toBe(201)
    expect((await stored(chatId)).map(({ content }) => content)).toEqual(['Hello', 'Again.'])
    expect(await openHolds(app.database, workspaceId)).toEqual([])
  })

  test('the built-in model is heard as well', async () => {
    const local = await testApp({ remember: false })
    const alone = callerOf(local, token)
    const agent = await alone.agent({ instructions: 'We open at eight on weekdays.' })
    const chat = await alone.chat(agent)
    const response = await local.send('POST', `/agents/${agent}/chats/${chat}/messages`, {
      token,
      body: { content: 'When do you open?' },
      headers: { accept: 'text/event-stream' },
    })
    const events = await eventsOf(response)
    expect(events.filter(({ event }) => event === 'delta').length).toBeGreaterThan(2)
    expect(textOf(events)).toContain('We open at eight on weekdays.')
    expect(events.at(-1)?.data).toMatchObject({ data: { assistant_message: { content: textOf(events) } } })
  })
})

describe('over typed RPC', () => {
  const client = () => createSwitchboard({ url: server.url, token })

  async function heardBy(chatId: string, content: string): Promise<MessageEvent[]> {
    const events: MessageEvent[] = []
    for await (const event of client().streamMessage({ agent_id: agentId, chat_id: chatId, content }))
      events.push(event)
    return events
  }

  test('the client package gives the pieces, then the stored message, of long messages too', async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ pieces: ['Good', ' day.'] })
    const events = await heardBy(chatId, 'long '.repeat(3_900))
    expect(events).toMatchObject([
      { type: 'delta', text: 'Good' },
      { type: 'delta', text: ' day.' },
      { type: 'message', message: { data: { assistant_message: { content: 'Good day.' } } } },
    ])
    expect(await stored(chatId)).toHaveLength(2)
  })

  test.each([
    ['what is refused before it begins', '', 422, { message: 'The content field is required.' }],
    ['a model that fails', 'Hello', 422, { content: 'Hello' }],
  ])('%s is an error with its body', async (_name, content, status, body) => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ status: 400 })
    const failure = await heardBy(chatId, content).catch(errorOf)
    expect(failure).toMatchObject({ status, body })
    const nobody = createSwitchboard({ url: server.url, token: 'vk_nobody' })
    const unknown = nobody.streamMessage({ agent_id: agentId, chat_id: chatId, content: 'Hello' }).next()
    expect(await unknown.catch(errorOf)).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
  })

  test('leaving the loop ends the turn', async () => {
    const chatId = await caller.chat(agentId)
    const before = fake.state.aborted
    fake.script.push({ pieces: ['We open'], after: 'hang' })
    for await (const event of client().streamMessage({ agent_id: agentId, chat_id: chatId, content: 'When?' })) {
      expect(event).toEqual({ type: 'delta', text: 'We open' })
      break
    }
    await until(() => fake.state.aborted > before)
    fake.script.push({ reply: 'Again.' })
    expect((await caller.post(`/agents/${agentId}/chats/${chatId}/messages`, { content: 'Hello' })).status).toBe(201)
    expect((await stored(chatId)).map(({ content }) => content)).toEqual(['Hello', 'Again.'])
  })

  describe('under an Idempotency-Key', () => {
    const post = (input: object, key: string) =>
      fetch(`${server.url}/trpc/messages.stream`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...{ accept: 'text/event-stream', 'idempotency-key': key },
        },
        body: JSON.stringify(input),
      })
    const inputOf = (chatId: string, content = 'When do you open?') => ({ agent_id: agentId, chat_id: chatId, content })
    const dataOf = async (response: Response) =>
      (await eventsOf(response)).filter(({ event }) => event === '').map(({ data }) => data)
    const errorIn = async (response: Response) =>
      (await eventsOf(response)).find(({ event }) => event === 'serialized-error')?.data.data

    test('the second request gets the kept message alone, another body and a long key are 422', async () => {
      const chatId = await caller.chat(agentId)
      fake.script.push({ pieces: ['Only', ' once.'] })
      const first = await post(inputOf(chatId), chatId)
      const events = await dataOf(first)
      expect(events.map(({ type }) => type)).toEqual(['delta', 'delta', 'message'])
      const second = await post(inputOf(chatId), chatId)
      expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
      expect(await dataOf(second)).toEqual([events.at(-1)])

      const reused = { 'Idempotency-Key': ['This Idempotency-Key was used with another body.'] }
      const other = await errorIn(await post(inputOf(chatId, 'Where are you?'), chatId))
      expect(other).toMatchObject({ httpStatus: 422, body: { errors: reused } })
      expect(await errorIn(await post(inputOf(chatId), 'k'.repeat(256)))).toMatchObject({ httpStatus: 422 })
      expect(fake.received).toHaveLength(1)
      expect(await stored(chatId)).toHaveLength(2)

      expect((await caller.send('DELETE', `/agents/${agentId}/chats/${chatId}`)).status).toBe(200)
      expect(await errorIn(await post(inputOf(chatId), chatId))).toMatchObject({ httpStatus: 404 })
    })

    test('one that comes while the first runs joins it', async () => {
      const chatId = await caller.chat(agentId)
      const gate = Promise.withResolvers<void>()
      fake.script.push({ pieces: ['We open', ' at', ' eight.'], until: gate.promise })
      const first = await post(inputOf(chatId), chatId)
      const second = await post(inputOf(chatId), chatId)
      gate.resolve()
      const [here, there] = await Promise.all([dataOf(first), dataOf(second)])
      expect(here).toHaveLength(4)
      expect(there).toEqual(here)
      expect(fake.received).toHaveLength(1)
    })

    test('a refused model is 422 again, and a failure of the model is tried again', async () => {
      const chatId = await caller.chat(agentId)
      const unknown = { ...inputOf(chatId), model: 'unknown' }
      for (const replayed of [null, 'true']) {
        const refused = await post(unknown, `unknown-${chatId}`)
        expect(refused.headers.get('idempotency-replayed')).toBe(replayed)
        expect(await errorIn(refused)).toMatchObject({
          httpStatus: 422,
          body: { errors: { model: ['The selected model does not exist.'] } },
        })
      }
      fake.script.push({ status: 400 }, { pieces: ['At eight.'] })
      expect(await errorIn(await post(inputOf(chatId), chatId))).toMatchObject({
        httpStatus: 422,
        body: { content: 'When do you open?' },
      })
      expect((await dataOf(await post(inputOf(chatId), chatId))).at(-1)).toMatchObject({ type: 'message' })
      expect(await stored(chatId)).toHaveLength(2)
    })

    // rest 23
    test('input that its schema refuses claims no key', async () => {
      const chatId = await caller.chat(agentId)
      const refused = await errorIn(await post(inputOf(chatId, ''), chatId))
      expect(refused).toMatchObject({ httpStatus: 422, body: { errors: { content: expect.any(Array) } } })
      fake.script.push({ pieces: ['At eight.'] })
      expect((await dataOf(await post(inputOf(chatId), chatId))).at(-1)).toMatchObject({ type: 'message' })
    })

    test('leaving ends the turn', async () => {
      const chatId = await caller.chat(agentId)
      const before = fake.state.aborted
      fake.script.push({ pieces: ['We open'], after: 'hang' })
      const response = await post(inputOf(chatId), chatId)
      await response.body?.cancel()
      await until(() => fake.state.aborted > before)
      expect(await stored(chatId)).toEqual([])
    })
  })

  test("tRPC's own link hears it from an EventSource, by GET", async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ pieces: ['Good', ' day.'] })
    class Listening extends EventTarget {
      readonly CONNECTING = 0
      readonly OPEN = 1
      readonly CLOSED = 2
      readyState = 0
      constructor(url: string) {
        super()
        fetch(url, { headers: { authorization: `Bearer ${token}` } })
          .then(async (response) => {
            const text = response.body?.pipeThrough<string>(
              new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>,
            )
            const reader = text?.pipeThrough(new EventSourceParserStream()).getReader()
            for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
              const { event = 'message', data } = part.value
              this.dispatchEvent(Object.assign(new Event(event), { data }))
            }
          })
          .catch(() => {})
      }
      close() {
        this.readyState = this.CLOSED
      }
    }
    const api = createTRPCClient<AppRouter>({
      links: [httpSubscriptionLink({ url: `${server.url}/trpc`, EventSource: Listening })],
    })
    const types: string[] = []
    await new Promise<void>((resolve, reject) => {
      api.messages.stream.subscribe(
        { agent_id: agentId, chat_id: chatId, content: 'Hello' },
        { onData: ({ type }) => types.push(type), onError: reject, onComplete: resolve },
      )
    })
    expect(types).toEqual(['delta', 'delta', 'message'])
  })
})

describe('what is heard of a text', () => {
  const heardIn = (pieces: string[]) => {
    let text = ''
    const visible = visibleText((event) => {
      text = event.type === 'delta' ? text + event.text : ''
    })
    for (const piece of pieces) visible.push(piece)
    visible.end()
    return text
  }

  test.each([
    ['  Hello there. \n', 'Hello there.'],
    ['<think>Hm.</think>\n\nHello.', 'Hello.'],
    ['Hm, hm.</think> Hello.', 'Hello.'],
    ['Hello.<reasoning>never ends', 'Hello.'],
    ['One <thought>x</THOUGHT>two', 'One two'],
    ['Hello \n<think>x</think>', 'Hello'],
    ['Hello \n<think>x</think> \n<think>y</think>\n', 'Hello'],
    ['Hello \n<think>x</think>there', 'Hello \nthere'],
    ['a < b and </b> <thi', 'a < b and </b> <thi'],
    ['\0He\0llo 😀\ud83d!', 'Hello 😀\ufffd!'],
    ['<th\0ink>secret</think>Hi', 'Hi'],
    ['İ<think>İİ</think> done', 'İ done'],
    ['Hm.\n</think>\n\nHello.', 'Hello.'],
    ['So I greet</think>Hello.', 'Hello.'],
    ['Hm. </think> Hello.', 'Hello.'],
    ['I use `x`, and ``y`.\n</think>\nHello.', 'Hello.'],
    ['<think>`never closed\n```</think>Hello.', 'Hello.'],
    ['It ends with `</think>`.', 'It ends with `</think>`.'],
    ['`<think>` begins it. `</think>` ends it.', '`<think>` begins it. `</think>` ends it.'],
    ['So:\n```\n<think>\nHm.\n</think>\n```\nDone.', 'So:\n```\n<think>\nHm.\n</think>\n```\nDone.'],
    ['Write </think> after it, "</think>" or (</think>).', 'Write </think> after it, "</think>" or (</think>).'],
    ['Hm.</think>It ends with `</think>`.', 'It ends with `</think>`.'],
    ['I use ``` here.\n</think>\nHello.', 'Hello.'],
    ['I write:\n```ts\nlet a = 1\n</think>\n\nHello.\n```\nb\n```', 'Hello.\n```\nb\n```'],
    ['I write:\n   ````\n```\nx\n</think>Hello.', 'Hello.'],
    ['```\n<think>a</think>\n<thinking>b\n</thinking>\n</think>Hello.', 'Hello.'],
    ['```ls``` lists.\n<think>Hm.</think>Done.', '```ls``` lists.\nDone.'],
    ['As in ```ls, Hm.\n<think>Hm.</think>Done.', 'As in ```ls, Hm.\nDone.'],
    ['```\na ``` b\n<think>\n</think>\n```\nSo.', '```\na ``` b\n<think>\n</think>\n```\nSo.'],
    ['````\n```\n<think>\n````\nSo.', '````\n```\n<think>\n````\nSo.'],
    ['```xml\n<reasoning kind="a">\n</reasoning>\n```', '```xml\n<reasoning kind="a">\n</reasoning>\n```'],
    ['```\n"</think>"\n    </think>\n```\nSo.', '```\n"</think>"\n    </think>\n```\nSo.'],
    ['- ```js\n  x = 1\n  ```\nThat prints 4.</think>\n\nIt is 4.', 'It is 4.'],
    ['1. ```js\n   x = 1\n   ```\nThat prints 4.</think>It is 4.', 'It is 4.'],
    ['Let me write: ```py\nx=1\n```\nSo it is 4.</think>\n\nIt is 4.', 'It is 4.'],
    ['- ```js\n  x = 1\n  ```\nOk. <think>plan</think>It is 4.', '- ```js\n  x = 1\n  ```\nOk. It is 4.'],
    ['1. So:\n\n    ```\n    <think>\n    ```\n\n2. Done.', '1. So:\n\n    ```\n    <think>\n    ```\n\n2. Done.'],
    ['> ```\n> <think>plan</think>\n> ```\nSo.', '> ```\n> <think>plan</think>\n> ```\nSo.'],
    ['\t```\n\t<think>x</think>\n\t```\nSo.', '```\n\t<think>x</think>\n\t```\nSo.'],
    ['The <think> tag begins it. \n', 'The <think> tag begins it.'],
    ['Begin with "<think>", or <thinking>, and go on.', 'Begin with "<think>", or <thinking>, and go on.'],
    ['As so <think>Hm.</think>often, the <think> tag.', 'As so often, the <think> tag.'],
    ['So it is.\n<think>The <think> tag', 'So it is.'],
    ['Stop at:\n```\n</think>\n```\nThat is all.', 'Stop at:\n```\n</think>\n```\nThat is all.'],
  ])('%j, however it is cut, is %j', (text, shown) => {
    expect(withoutReasoning(text)).toBe(shown)
    for (const size of [1, 2, 3, 5, 8]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      )
      expect(heardIn(pieces)).toBe(shown)
    }
    for (let at = 1; at < text.length; at++) expect(heardIn([text.slice(0, at), text.slice(at)])).toBe(shown)
  })

  test('a step before the last is taken back', () => {
    const events: string[] = []
    const visible = visibleText((event) => events.push(event.type === 'delta' ? event.text : event.type))
    visible.restart()
    visible.push('Let me see. ')
    visible.restart()
    visible.push('It is eight.')
    visible.end()
    expect(events).toEqual(['Let me see.', 'restart', 'It is eight.'])
  })
})
