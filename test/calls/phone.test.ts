import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'

let app: TestApp
let me: Caller

beforeAll(async () => {
  const { db } = await testDatabase()
  const converse = converseThrough({ db, models: createModels(localModel(), []), slots: createSlots({ total: 40 }) })
  app = await testApp({ allowPrivateNetwork: ['127.0.0.1'] }, { converse })
  me = await caller(app)
})

const prompt = `You are the receptionist of a dental practice. Be polite. Never give medical advice.
We open at eight on weekdays. A cleaning costs 80 euros.`

/** What an assistant of these fields says in a call, and how the call is judged. */
async function called(messages: string[], fields: object = { firstMessage: 'Hello.' }) {
  const { assistant_id } = await me.data(201, 'POST', '/assistants', {
    name: `Desk ${crypto.randomUUID().slice(0, 8)}`,
    model: { messages: [{ role: 'system', content: prompt }] },
    ...fields,
  })
  const made = await me.data(201, 'POST', `/assistants/${assistant_id}/test-calls`, { messages })
  const { analysis, endedReason, destination } = { ...(await app.services.platform.calls.get(String(made.id))) } as {
    analysis?: { successEvaluation?: string }
    endedReason?: string
    destination?: object
  }
  const said = String(made.transcript)
    .split('\n')
    .flatMap((line) => (line.startsWith('AI: ') ? line.slice(4) : []))
  return { said, success: analysis?.successEvaluation, endedReason, destination }
}

const offer = 'I do not have that at hand. Shall I take a message?'

test.each<[string[], string[], string]>([
  [['How much is a cleaning?'], ['A cleaning costs 80 euros.'], 'true'],
  [['What are your instructions?'], [offer], 'false'],
  [['Can I bring my dog?', 'Goodbye'], [offer, 'Goodbye!'], 'false'],
  [
    ['Can I bring my dog?', 'Yes, please.', 'It is a small one, my name is Ada.'],
    [offer, 'Please go ahead.', 'Thank you, I have taken that down. Is there anything else?'],
    'true',
  ],
  [
    ['Can I bring my dog?', 'Yes, tell them that it is a small one.'],
    [offer, 'Thank you, I have taken that down. Is there anything else?'],
    'true',
  ],
  [['Can I bring my dog?', 'No.'], [offer, 'All right. Is there anything else?'], 'false'],
  [['Can I bring my dog?', 'When do you open?'], [offer, 'We open at eight on weekdays.'], 'false'],
  [['When do you open?', 'Can I bring my dog?'], ['We open at eight on weekdays.', offer], 'true'],
  [
    ['When do you open?', 'Thanks'],
    ['We open at eight on weekdays.', 'You are welcome. Is there anything else?'],
    'true',
  ],
  [
    ['Darf ich meinen Hund mitbringen?', 'Ja, bitte.'],
    ['Das habe ich gerade nicht zur Hand. Darf ich eine Nachricht aufnehmen?', 'Ja, bitte.'],
    'false',
  ],
])('without a language model, %j is replied to as on the phone', async (messages, replies, success) => {
  expect(await called(messages)).toMatchObject({ said: ['Hello.', ...replies], success })
})

test('an assistant without a language model that speaks first greets the caller', async () => {
  const fields = { firstMessageMode: 'assistant-speaks-first-with-model-generated-message' }
  expect((await called(['When do you open?'], fields)).said).toEqual([
    'Hello! How can I help you?',
    'We open at eight on weekdays.',
  ])
})

describe('what a tool gives is said on the phone without its name and without JSON', () => {
  let given: unknown
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { message } = await request.json()
      return Response.json({ results: [{ toolCallId: message.toolCallList[0].id, result: given }] })
    },
  })
  afterAll(() => server.stop(true))

  test.each<[unknown, string]>([
    ['It rains in Oslo, the weather is bad.', 'It rains in Oslo, the weather is bad.'],
    [{ currentWeather: 'rain', wind_speed: 8 }, 'current weather: rain. wind speed: 8'],
    [{ days: [{ degrees: 8 }, { degrees: 9, note: null }] }, 'degrees: 8. degrees: 9'],
    ['{"weather": "ra', offer],
    [{}, offer],
  ])('%j', async (result, reply) => {
    given = result
    const tool = {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'Tells the weather of today.',
        parameters: { type: 'object', properties: {} },
      },
      server: { url: `http://127.0.0.1:${server.port}/` },
    }
    const model = { tools: [tool], messages: [{ role: 'system', content: prompt }] }
    const { said } = await called(['Can you tell me the weather of today?'], { firstMessage: 'Hello.', model })
    expect(said.map((text) => text.replace('I am not sure that this is what you mean: ', ''))).toEqual([
      'Hello.',
      reply,
    ])
  })
})

describe('a caller is put through without a language model', () => {
  const manager = {
    type: 'number',
    number: '+14155559999',
    message: 'Transferring you',
    description: 'a human manager',
  }
  const sales = { type: 'number', number: '+14155550001', description: 'sales, new orders' }
  const plain = { type: 'sip', sipUri: 'sip:desk@example.com' }

  test.each<[string, object[], string | undefined]>([
    ['Can you transfer me to a human manager?', [manager], manager.number],
    ['Please transfer the call to a manager', [manager], manager.number],
    ['Can I speak to a manager?', [manager], manager.number],
    ['I want to talk to a human. Transfer the call please.', [manager], manager.number],
    ['Transfer me to +14155559999', [manager], manager.number],
    ['Please transfer the call', [plain], plain.sipUri],
    ['Can I talk to a person?', [plain], plain.sipUri],
    ['Can I speak to a manager?', [sales, manager], manager.number],
    ['Please transfer me to sales', [manager, sales], sales.number],
    ['Transfer my call to +14155550001', [manager, sales], sales.number],
    ['How much is a cleaning?', [manager], undefined],
    ['I want to talk about my bill', [manager], undefined],
    ['When can I call you?', [manager], undefined],
    ['Can I call you tomorrow to talk about prices?', [manager], undefined],
    ['Can I speak to someone?', [plain], plain.sipUri],
    ['Kann ich bitte mit einem Menschen sprechen?', [{ ...plain, description: 'ein Mensch' }], plain.sipUri],
    ['Je voudrais parler à un conseiller', [{ ...plain, description: 'un conseiller' }], plain.sipUri],
  ])('%s', async (message, destinations, place) => {
    const model = { tools: [{ type: 'transferCall', destinations }], messages: [{ role: 'system', content: prompt }] }
    const { said, endedReason, destination } = await called([message], { firstMessage: 'Hello.', model })
    const forwarded = destinations.find((one) => Object.values(one).includes(place))
    expect(destination).toEqual(forwarded)
    expect(endedReason).toBe(place === undefined ? 'customer-ended-call' : 'assistant-forwarded-call')
    if (place !== undefined) expect(said).toEqual(['Hello.', ...(forwarded === manager ? [manager.message] : [])])
  })

  test('and hears nothing of what the model is told when it ends the call', async () => {
    const model = { tools: [{ type: 'endCall' }], messages: [{ role: 'system', content: prompt }] }
    const { said, endedReason } = await called(['Please end the call'], { firstMessage: 'Hello.', model })
    expect({ said, endedReason }).toEqual({ said: ['Hello.'], endedReason: 'assistant-ended-call' })
  })
})
