import { VapiClient } from '@vapi-ai/server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../src/voice-platform/converse.ts'
import { type ServedPlatform, servePlatform } from '../../src/voice-platform/embedded/serve.ts'
import type { SimulatedCall } from '../../src/voice-platform/simulation.ts'
import { violations } from '../support/voice-platform/description.ts'
import { apiKey, createRig } from '../support/voice-platform/embedded.ts'

/** Each answer says what it was asked, and by which prompt. */
const converse = async (messages: readonly ChatMessage[]) => {
  heard = messages
  const prompt = messages.find(({ role }) => role === 'system')?.content ?? 'nobody'
  return `${prompt} hears ${messages.at(-1)?.content ?? ''}`
}
let heard: readonly ChatMessage[] = []

const { platform, client, clock } = createRig({ converse }, { simulated: true })
const { simulation } = client
if (!simulation) throw new Error('The rig simulates')

const model = (content: string) => ({
  model: { provider: 'openai' as const, model: 'gpt-4.1' as const, messages: [{ role: 'system' as const, content }] },
})

const assistant = (body: object = {}) =>
  clock.settle(client.assistants.create({ name: 'Anna', firstMessage: 'Hello.', ...model('Anna'), ...body }))

/** Runs a call; what was said, with who said it, and how it ended. */
async function run(call: SimulatedCall) {
  const made = await simulation?.run(call)
  if (!made) throw new Error('no call')
  expect(violations('Call', made)).toEqual([])
  const said = (made.artifact?.transcript ?? '').trim().split('\n')
  return { call: made, said, reason: made.endedReason }
}

const say = (...messages: string[]) => ({ messages })

describe('who speaks first', () => {
  test.each([
    ['assistant-speaks-first', {}, ['AI: Hello.', 'User: Hi', 'AI: Anna hears Hi']],
    ['assistant-waits-for-user', {}, ['User: Hi', 'AI: Anna hears Hi']],
    [
      'assistant-speaks-first-with-model-generated-message',
      {},
      ['AI: Anna hears (The call begins. Greet the caller.)', 'User: Hi', 'AI: Anna hears Hi'],
    ],
    ['assistant-speaks-first', { firstMessage: '' }, ['User: Hi', 'AI: Anna hears Hi']],
  ])('%s, %j', async (firstMessageMode, body, expected) => {
    const { id } = await assistant({ firstMessageMode, ...body })
    expect(await run({ assistantId: id, ...say('Hi') })).toMatchObject({
      said: expected,
      reason: 'customer-ended-call',
    })
  })
})

describe('placeholders that the platform fills', () => {
  const told = async (call: (id: string) => Promise<{ said: string[] }>, firstMessage: string) => {
    const { id } = await assistant({ firstMessage })
    return (await call(id)).said[0]
  }

  test('are the moment of the call, in UTC', async () => {
    const at = clock.now()
    const text = '{{ date }}|{{time}}|{{now}}|{{month}} {{day}}, {{year}}|{{other}}|{{customer.number}}'
    const date = at.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' })
    const time = at.toLocaleTimeString('en-US', { timeZone: 'UTC', timeStyle: 'short' })
    const long = at.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })
    expect(await told((id) => run({ assistantId: id, ...say('Hi') }), text)).toBe(
      `AI: ${date}|${time}|${date} ${time}|${long}||`,
    )
  })

  test.each([
    [
      '{{"now" | date: "%A, %B %-d, %Y", "Pacific/Auckland"}}',
      { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric', timeZone: 'Pacific/Auckland' },
    ],
    ['{{ "now" | date: "%b %d, %Y" }}', { month: 'short', day: '2-digit', year: 'numeric', timeZone: 'UTC' }],
    ['{{"now" | date: "%-I:%M %p", "Asia/Kolkata"}}', { hour: 'numeric', minute: '2-digit', timeZone: 'Asia/Kolkata' }],
    [
      "{{'now' | date: '%a, %B %e', 'Asia/Tokyo'}}",
      { weekday: 'short', month: 'long', day: 'numeric', timeZone: 'Asia/Tokyo' },
    ],
    ['{{\'now\' | date: "%m/%d/%y"}}', { month: '2-digit', day: '2-digit', year: '2-digit', timeZone: 'UTC' }],
  ] as const)('are a time in a form and a time zone: %s', async (text, options) => {
    const said = clock.now().toLocaleString('en-US', options).replaceAll(/\s/g, ' ')
    expect(await told((id) => run({ assistantId: id, ...say('Hi') }), text)).toBe(`AI: ${said}`)
  })

  test.each([
    ['{{"now" | date: "%A", "Nowhere/City"}}'],
    ['{{"now" | upcase}}'],
    [`{{'now" | date: "%A"}}`],
    ['{{"now" | date: "%Q"}}', '%Q'],
    ['{{"now" | date: "100%% %%A"}}', '100% %A'],
  ])('stay where they are none: %s', async (text, expected = text) => {
    expect(await told((id) => run({ assistantId: id, ...say('Hi') }), text)).toBe(`AI: ${expected}`)
  })

  test('are times of twenty time zones', async () => {
    const times = Array.from({ length: 21 }, (_, at) => `{{"now" | date: "x", "+${10 + (at % 10)}:${10 + at}"}}`)
    const { id } = await assistant({ firstMessage: times.join('') + times[0] })
    const { said } = await run({ assistantId: id, ...say('Hi') })
    expect(said[0]).toBe(`AI: ${'x'.repeat(20)}${times[20]}x`)
  })

  test('are in the prompt of a written conversation, too', async () => {
    const { id } = await assistant({
      firstMessage: 'In {{year}}{{constructor}}{{toString}}',
      ...model('It is {{year}}.'),
    })
    await clock.settle(client.chat.create({ assistantId: id, input: 'Hi' }))
    const year = String(clock.now().getUTCFullYear())
    expect(heard.map(({ content }) => content)).toEqual([`It is ${year}.`, `In ${year}`, 'Hi'])
  })
})

describe('how a call ends', () => {
  test.each<[string, object, Omit<SimulatedCall, 'assistantId'>, string, string]>([
    ['the caller hangs up', {}, say('Hi'), 'customer-ended-call', 'AI: Anna hears Hi'],
    [
      'a phrase is said',
      { endCallPhrases: ['HEARS BYE'] },
      say('bye', 'x'),
      'assistant-said-end-call-phrase',
      'AI: Anna hears bye',
    ],
    [
      'a farewell is answered',
      { endCallMessage: 'Take care.' },
      say('Goodbye!', 'x'),
      'assistant-ended-call',
      'AI: Take care.',
    ],
    [
      'the time is over',
      { maxDurationSeconds: 10 },
      say('a'.repeat(200), 'x'),
      'exceeded-max-duration',
      `User: ${'a'.repeat(200)}`,
    ],
    ['nobody says anything', {}, { scenario: 'silent' }, 'silence-timed-out', 'AI: Hello.'],
    [
      'a machine answers',
      { voicemailDetection: { provider: 'vapi' }, voicemailMessage: 'Call us back.' },
      { scenario: 'voicemail' },
      'voicemail',
      'AI: Call us back.',
    ],
    [
      'a machine is taken for a person',
      { voicemailDetection: 'off' },
      { scenario: 'voicemail' },
      'silence-timed-out',
      'AI: Anna hears Nobody can take your call. Please leave a message.',
    ],
    ['the line is busy', {}, { scenario: 'busy' }, 'customer-busy', ''],
    ['nobody answers', {}, { scenario: 'no-answer' }, 'customer-did-not-answer', ''],
  ])('%s', async (_, body, call, reason, last) => {
    const { id } = await assistant(body)
    const ended = await run({ assistantId: id, ...call })
    expect(ended.reason).toBe(reason)
    expect(ended.said.at(-1)).toBe(last)
    expect(ended.call).toMatchObject({ status: 'ended', type: 'webCall', assistantId: id })
  })

  test('the model fails', async () => {
    const broken = createRig({ converse: () => Promise.reject(new Error('down')) }, { simulated: true })
    const { id } = await broken.clock.settle(broken.client.assistants.create({ firstMessage: 'Hello.' }))
    const call = await broken.client.simulation?.run({ assistantId: id, ...say('Hi') })
    expect(call).toMatchObject({ endedReason: 'call.in-progress.error-providerfault-openai-llm-failed' })
  })

  test('at the moment that its speech takes, within the limit', async () => {
    const { id } = await assistant({ maxDurationSeconds: 20 })
    const { call } = await run({ assistantId: id, ...say('a'.repeat(1000)) })
    expect(Date.parse(call.endedAt ?? '') - Date.parse(call.startedAt ?? '')).toBe(20_000)
  })
})

/** Each line of a caller with what is replied, and how such a call is judged without a language model. */
describe('a call is judged by what was answered', () => {
  const sorry = "Sorry, I can't help with that."
  test.each<[string, [string, string][], string]>([
    ['an answer', [['When are you open?', 'At nine.']], 'true'],
    ['a refusal', [['When are you open?', sorry]], 'false'],
    ['not knowing', [['When are you open?', "I'm afraid I don't have that information."]], 'false'],
    ['an apology with an answer', [['Are you open on Sundays?', 'Sorry, we are closed on Sundays.']], 'true'],
    [
      'most answered',
      [
        ['A?', sorry],
        ['B?', 'Yes.'],
        ['C?', 'No.'],
      ],
      'true',
    ],
    [
      'half, the first one',
      [
        ['A?', 'Yes.'],
        ['B?', sorry],
      ],
      'true',
    ],
    [
      'half, not the first one',
      [
        ['A?', sorry],
        ['B?', 'Yes.'],
      ],
      'false',
    ],
    [
      'thanks and farewells count for nothing',
      [
        ['A?', sorry],
        ['Thank you.', 'Sure.'],
        ['Goodbye', 'Bye.'],
      ],
      'false',
    ],
    ...[
      'I cannot answer that.',
      "We're unable to help with this.",
      "I'm sorry, but I currently don't have any information about that.",
      'We do not know.',
      "I don't have access to your orders.",
      'I cannot provide any details on that.',
      'There is no information about that.',
      'Das kann ich Ihnen leider nicht sagen.',
      'Ich kann Ihnen dabei nicht weiterhelfen.',
      'Das weiß ich leider nicht.',
      'Dazu habe ich leider keine Informationen.',
      'No lo sé.',
      'Lo siento, no puedo ayudarle con eso.',
      'No tenemos esa información.',
      'Je ne sais pas.',
      'Je ne peux malheureusement pas vous aider.',
      "Je n'ai pas cette information.",
    ].map((reply): [string, [string, string][], string] => [reply, [['Do you have parking?', reply]], 'false']),
    ...[
      'We do not have any parking of our own.',
      "No, we don't have any vegan dishes.",
      'If you do not know your number, we look it up for free.',
      'You cannot access the garden at night.',
      'We cannot provide cots.',
      'No information is passed on.',
      'Hunde können wir leider nicht aufnehmen.',
      'Wir geben keine Angaben an andere weiter.',
      'No podemos dar descuentos.',
      'Je ne peux pas réserver pour plus de huit.',
    ].map((reply): [string, [string, string][], string] => [reply, [['Is that so?', reply]], 'true']),
  ])('%s', async (_, lines, expected) => {
    const replies = lines.map(([, reply]) => reply)
    const judged = createRig({ converse: async () => replies.shift() ?? '' }, { simulated: true })
    const { id } = await judged.clock.settle(judged.client.assistants.create({ firstMessage: 'Hello.' }))
    const call = await judged.client.simulation?.run({ assistantId: id, messages: lines.map(([line]) => line) })
    expect(call?.analysis?.successEvaluation).toBe(expected)
  })
})

describe('a language model judges a call', () => {
  const asked: (readonly ChatMessage[])[] = []
  const judgedAs = async (verdict: string | Error, analysisPlan?: object) => {
    const judged = createRig(
      {
        plays: true,
        converse: async (messages, { as }) => {
          if (as === undefined) return 'At nine.'
          asked.push(messages)
          if (verdict instanceof Error) throw verdict
          return verdict
        },
      },
      { simulated: true },
    )
    const body = { firstMessage: 'Hello.', ...model('Anna'), ...(analysisPlan && { analysisPlan }) }
    const { id } = await judged.clock.settle(judged.client.assistants.create(body))
    const call = await judged.client.simulation?.run({ assistantId: id, messages: ['When do you open?'] })
    return call?.analysis?.successEvaluation
  }
  const rubric = (name: string) => ({ successEvaluationPlan: { rubric: name } })

  test.each<[string | Error, object | undefined, string | undefined]>([
    ['false', undefined, 'false'],
    ['True.', undefined, 'true'],
    ['7', rubric('NumericScale'), '7'],
    ['Poor', rubric('DescriptiveScale'), 'Poor'],
    ['55 %', rubric('PercentageScale'), '55%'],
    ['Strongly disagree', rubric('LikertScale'), 'Strongly Disagree'],
    ['- Greeted: yes', rubric('Checklist'), '- Greeted: yes'],
    ['**Result: True**', undefined, 'true'],
    ['{"result": "fail"}', undefined, 'false'],
    ['Score: 8/10', rubric('NumericScale'), '8'],
    ['8.5', rubric('NumericScale'), '8.5'],
    ['10', rubric('NumericScale'), '10'],
    ['Score: 0%', rubric('PercentageScale'), '0%'],
    ['"Good."', rubric('DescriptiveScale'), 'Good'],
    // What has not the form of the rubric, or does not come, is left to the rules.
    ['It went well, I think.', undefined, 'true'],
    ['70', rubric('NumericScale'), '8'],
    ['Score (1-10): 3', rubric('NumericScale'), '8'],
    ['On a scale of 1 to 10: 3', rubric('NumericScale'), '8'],
    ['0', rubric('NumericScale'), '8'],
    ['-3', rubric('NumericScale'), '8'],
    ['3%', rubric('NumericScale'), '8'],
    ['0.85', rubric('PercentageScale'), '80%'],
    ['-5%', rubric('PercentageScale'), '80%'],
    ['101', rubric('PercentageScale'), '80%'],
    ['No problems, the call passed: true', undefined, 'true'],
    ['Poor connection, but a good call', rubric('DescriptiveScale'), 'Good'],
    [new Error('down'), undefined, 'true'],
    ['false', { minMessagesThreshold: 9 }, undefined],
    ['false', { successEvaluationPlan: { enabled: false } }, undefined],
  ])('%s, %j', async (verdict, plan, expected) => {
    expect(await judgedAs(verdict, plan)).toBe(expected)
  })

  const transcript = 'AI: Hello.\nUser: When do you open?\nAI: At nine.\n'
  test.each<[string, object[], object[]]>([
    [
      'a system message alone',
      [{ role: 'system', content: 'Judge: {{rubric}}' }],
      [
        { role: 'system', content: expect.stringMatching(/^Judge: A simple/) },
        { role: 'user', content: expect.stringContaining(transcript) },
      ],
    ],
    [
      'no texts',
      [{ role: 'system', content: ['Judge.'] }, { role: 'user', content: ' ' }, { role: 'user' }],
      [
        { role: 'system', content: expect.stringMatching(/^You are an expert call evaluator/) },
        { role: 'user', content: expect.stringContaining(transcript) },
      ],
    ],
    [
      'placeholders without end',
      [{ role: 'user', content: '{{transcript}}'.repeat(95_000) }],
      [{ role: 'user', content: transcript.repeat(1_000).slice(0, 40_000) }],
    ],
  ])('with messages that can be told, of a plan with %s', async (_, messages, expected) => {
    expect(await judgedAs('no', { successEvaluationPlan: { messages } })).toBe('false')
    expect(asked.at(-1)).toEqual(expected)
  })

  test('with the messages of its plan', async () => {
    const messages = [{ role: 'user', content: '{{transcript}}|{{systemPrompt}}|{{rubric}}|{{endedReason}}|{{other}}' }]
    expect(await judgedAs('no', { successEvaluationPlan: { messages } })).toBe('false')
    expect(asked.at(-1)).toEqual([
      {
        role: 'user',
        content:
          "AI: Hello.\nUser: When do you open?\nAI: At nine.\n|Anna|A simple 'true' if call passed, 'false' if not.|customer-ended-call|{{other}}",
      },
    ])
  })
})

describe('what is kept of a call', () => {
  test('messages, costs and what the analysis plans ask for', async () => {
    const { id } = await assistant()
    const { call } = await run({ assistantId: id, ...say('When are you open?') })
    expect(call.messages?.map(({ role }) => role)).toEqual(['system', 'bot', 'user', 'bot'])
    expect(call.analysis).toEqual({ summary: expect.stringContaining('When are you open?'), successEvaluation: 'true' })
    const { total, transport, stt, llm, tts, vapi } = call.costBreakdown ?? {}
    expect(call.cost).toBeGreaterThan(0)
    expect(total).toBeCloseTo((transport ?? 0) + (stt ?? 0) + (llm ?? 0) + (tts ?? 0) + (vapi ?? 0), 3)
  })

  test.each([
    [
      'no analysis',
      { analysisPlan: { summaryPlan: { enabled: false }, successEvaluationPlan: { enabled: false } } },
      {},
    ],
    [
      'a rubric',
      { analysisPlan: { summaryPlan: { enabled: false }, successEvaluationPlan: { rubric: 'PercentageScale' } } },
      { successEvaluation: '80%' },
    ],
    ['too little said', { analysisPlan: { minMessagesThreshold: 9 } }, {}],
  ])('%s', async (_, body, analysis) => {
    const { id } = await assistant(body)
    expect((await run({ assistantId: id, ...say('Hi') })).call.analysis).toEqual(analysis)
  })

  test('a transcript in the names of its plan, or none', async () => {
    const named = await assistant({ artifactPlan: { transcriptPlan: { assistantName: 'Bot', userName: 'Caller' } } })
    expect((await run({ assistantId: named.id, ...say('Hi') })).said).toEqual([
      'Bot: Hello.',
      'Caller: Hi',
      'Bot: Anna hears Hi',
    ])
    const silent = await assistant({ artifactPlan: { transcriptPlan: { enabled: false } } })
    expect((await run({ assistantId: silent.id, ...say('Hi') })).call.artifact).not.toHaveProperty('transcript')
  })
})

describe('a squad', () => {
  const destination = {
    type: 'assistant',
    assistantName: 'Bill',
    description: 'Questions about an invoice',
    message: 'One moment.',
  } as const

  async function squad(over: object = {}, first: object = {}) {
    const anna = await assistant()
    const bill = await assistant({ name: 'Bill', firstMessage: 'Billing, {{shop}}{{nothing}}.', ...model('Bill') })
    const members = [
      { assistantId: anna.id, assistantDestinations: [{ ...destination, ...over }], assistantOverrides: first },
      { assistantId: bill.id },
    ]
    const made = await clock.settle(
      client.squads.create({ members, membersOverrides: { variableValues: { shop: 'Acme' } } }),
    )
    const number = await clock.settle(
      client.phoneNumbers.create({
        provider: 'twilio',
        number: `+1415555${1000 + squads++}`,
        twilioAccountSid: 'AC',
        squadId: made.id,
      }),
    )
    return { phoneNumberId: number.id, anna, bill }
  }
  let squads = 0

  test('hands the call over to the member that the caller asks for, with its own prompt', async () => {
    const { phoneNumberId, anna } = await squad()
    const { said, call } = await run({ phoneNumberId, ...say('My invoice is wrong', 'Thanks') })
    expect(said).toEqual([
      'AI: Hello.',
      'User: My invoice is wrong',
      'AI: One moment.',
      'AI: Billing, Acme.',
      'User: Thanks',
      'AI: Bill hears Thanks',
    ])
    expect(call).toMatchObject({ type: 'inboundPhoneCall', assistantId: anna.id, squadId: expect.any(String) })
    expect(heard.map(({ content }) => content)).toContain('My invoice is wrong')
  })

  test.each<[string[], object, string, string]>([
    [['My invoice is wrong'], {}, 'false', ''],
    [['My invoice is wrong', 'Thanks'], {}, 'false', ''],
    [['My invoice is wrong', 'When is it due?'], {}, 'true', ''],
    [['My invoice is wrong', 'I do not know why.'], {}, 'false', ''],
    [
      ['When do you open?', 'My invoice is wrong'],
      {},
      'true',
      ' The assistant answered: "Anna hears When do you open?".',
    ],
    [
      ['My invoice is wrong'],
      { firstMessage: '' },
      'true',
      ' The assistant answered: "Bill hears My invoice is wrong".',
    ],
  ])('is no answer: %j, %j', async (messages, greeting, success, answered) => {
    const bill = await assistant({ name: 'Bill', firstMessage: 'Billing, Acme.', ...model('Bill'), ...greeting })
    const anna = await assistant()
    const members = [{ assistantId: anna.id, assistantDestinations: [destination] }, { assistantId: bill.id }]
    const { id } = await clock.settle(client.squads.create({ members } as never))
    const { call } = await run({ squadId: id, messages })
    expect(call.analysis?.successEvaluation).toBe(success)
    const summary = `The caller said: "${messages[0]}".${answered} The call took`
    expect(call.analysis?.summary?.slice(0, summary.length)).toBe(summary)
  })

  test.each([
    ['Can you help me book a table?', 'Helps with invoices and refunds', false],
    ['Do other customers like it?', 'New customers only', false],
    ['Hi, this is Bob speaking.', 'Customers speaking about invoices', false],
    ['Does it work?', 'Works on orders', false],
    ['We talked yesterday', 'Talking to sales', false],
    ['Ich habe nicht gefragt', 'Rechnungen, die nicht stimmen', false],
    ['I need a refund', 'Helps with invoices and refunds', true],
    ['Where is what I ordered?', 'Works on orders', true],
    ['Meine Rechnung stimmt nicht', 'Fragen zu Rechnungen', true],
  ])('%s, to "%s": %s', async (line, description, moves) => {
    const { phoneNumberId } = await squad({ description })
    const { said } = await run({ phoneNumberId, ...say(line) })
    expect(said.includes('AI: Billing, Acme.')).toBe(moves)
  })

  test.each([
    ['I wanted to ask something', 'Ted', false],
    ['Can I talk to ted?', 'Ted', true],
    ['Bedauerlich!', 'Ed', false],
    ['Élise, s’il vous plaît', 'Élise', true],
    ['Is C++ there', 'C++', true],
    ['I am interior designer', 'Bill', false],
  ])('%s, to %s: %s', async (line, name, moves) => {
    const other = await assistant({ name, firstMessage: `${name} here.`, ...model(name) })
    const { id } = await assistant()
    const handoff = { type: 'assistant' as const, assistantName: name, message: '', description: 'Interest rates' }
    const members = [{ assistantId: id, assistantDestinations: [handoff] }, { assistantId: other.id }]
    const made = await clock.settle(client.squads.create({ members }))
    const { said } = await run({ squadId: made.id, ...say(line) })
    expect(said.includes(`AI: ${name} here.`)).toBe(moves)
  })

  test('keeps the first member for everything else, and its overrides', async () => {
    const { phoneNumberId } = await squad({}, { firstMessage: 'Welcome.' })
    const { said } = await run({ phoneNumberId, ...say('What about the weather?') })
    expect(said).toEqual(['AI: Welcome.', 'User: What about the weather?', 'AI: Anna hears What about the weather?'])
  })

  test.each(['swap-system-message-in-history', 'delete-history'])(
    'tells who takes over without a greeting once what the caller said: %s',
    async (transferMode) => {
      const bill = await assistant({ name: 'Bill', firstMessage: '', ...model('Bill') })
      const anna = await assistant()
      const members = [
        { assistantId: anna.id, assistantDestinations: [{ ...destination, message: '', transferMode }] },
        { assistantId: bill.id },
      ]
      const { id } = await clock.settle(client.squads.create({ members } as never))
      const { said } = await run({ squadId: id, ...say('My invoice is wrong') })
      expect(said.at(-1)).toBe('AI: Bill hears My invoice is wrong')
      expect(heard.filter(({ content }) => content === 'My invoice is wrong')).toHaveLength(1)
    },
  )

  test('forgets what was said where the destination says so', async () => {
    const { phoneNumberId } = await squad({ transferMode: 'delete-history' })
    await run({ phoneNumberId, ...say('My invoice is wrong', 'Thanks') })
    expect(heard.map(({ content }) => content)).toEqual(['Bill', 'Billing, Acme.', 'Thanks'])
  })
})

describe('a number', () => {
  const fallback = { type: 'number', number: '+14155550999', message: 'We forward you.' } as const
  let made = 0
  const number = (body: object) =>
    clock.settle(
      client.phoneNumbers.create({
        provider: 'twilio',
        number: `+1415556${1000 + made++}`,
        twilioAccountSid: 'AC',
        ...body,
      }),
    )

  test('is answered by its assistant', async () => {
    const { id } = await assistant()
    const { id: phoneNumberId } = await number({ assistantId: id, fallbackDestination: fallback })
    const { call } = await run({ phoneNumberId, ...say('Hi') })
    expect(call).toMatchObject({ type: 'inboundPhoneCall', assistantId: id, phoneNumberId, phoneCallTransport: 'pstn' })
  })

  test.each([
    ['forwards to its fallback destination when its assistant is gone', true, fallback, 'assistant-forwarded-call'],
    ['says so when its assistant is gone and there is no other', true, undefined, 'assistant-not-found'],
    ['forwards when it has no target', false, fallback, 'assistant-forwarded-call'],
    ['says so when nothing is set', false, undefined, 'call-start-error-neither-assistant-nor-server-set'],
  ])('%s', async (_, isRouted, fallbackDestination, reason) => {
    const { id } = await assistant()
    const { id: phoneNumberId } = await number({ ...(isRouted && { assistantId: id }), fallbackDestination })
    await clock.settle(client.assistants.delete(id))
    const ended = await run({ phoneNumberId, ...say('Hi') })
    expect(ended.reason).toBe(reason)
    expect(ended.call.destination).toEqual(fallbackDestination)
  })
})

describe('a hook of a number that rings', () => {
  let made = 0
  const destination = { type: 'number', number: '+14155550999' } as const
  test.each<[string, object[], object]>([
    [
      'transfers',
      [
        {
          on: 'call.ringing',
          do: [
            { type: 'say', exact: 'One moment.' },
            { type: 'transfer', destination },
          ],
        },
      ],
      {
        endedReason: 'call.ringing.hook-executed-transfer',
        destination,
        artifact: { transcript: 'AI: One moment.\n' },
      },
    ],
    [
      'says why nobody answers',
      [{ on: 'call.ringing', do: [{ type: 'say', exact: 'We are closed.' }] }],
      { endedReason: 'call.ringing.hook-executed-say', artifact: { transcript: 'AI: We are closed.\n' } },
    ],
    [
      'leaves callers whom it is not for to the assistant',
      [
        {
          on: 'call.ringing',
          filters: [{ type: 'startsWith', key: 'number', startsWith: ['+49'] }],
          do: [{ type: 'say', exact: 'Nein.' }],
        },
      ],
      { endedReason: 'customer-ended-call' },
    ],
    [
      'is not one of the end',
      [{ on: 'call.ending', do: { type: 'say', exact: 'Bye.' } }],
      { endedReason: 'customer-ended-call' },
    ],
  ])('%s', async (_, hooks, expected) => {
    const { id: assistantId } = await assistant()
    const body = {
      provider: 'twilio' as const,
      twilioAccountSid: 'AC',
      number: `+1415558${1000 + made++}`,
      assistantId,
    }
    const { id } = await clock.settle(client.phoneNumbers.create({ ...body, hooks: hooks as never }))
    const { call } = await run({ phoneNumberId: id, ...say('Hi') })
    expect(call).toMatchObject({ status: 'ended', assistantId, ...expected })
  })
})

describe('the official client', () => {
  let served: ServedPlatform
  let sdk: VapiClient
  beforeAll(() => {
    served = servePlatform(platform)
    sdk = new VapiClient({ token: apiKey, environment: served.url, maxRetries: 0 })
  })
  afterAll(() => served.stop())

  test('creates, reads, lists and deletes a call', async () => {
    const { id: assistantId } = await assistant()
    const created = await sdk.calls.create({ assistantId, name: 'A call' })
    expect(created).toMatchObject({ status: 'queued', type: 'webCall', assistantId, name: 'A call' })
    if (!('id' in created)) throw new Error('one call')
    await platform.idle()
    const ended = await sdk.calls.get({ id: created.id })
    expect(ended).toMatchObject({ id: created.id, status: 'ended', endedReason: 'customer-ended-call' })
    expect(violations('Call', ended)).toEqual([])
    expect(await sdk.calls.list({ assistantId })).toEqual([ended])
    expect(await sdk.calls.list({ assistantId, createdAtGt: created.createdAt })).toEqual([])
    expect(await sdk.calls.list({ assistantId: crypto.randomUUID() })).toEqual([])
    expect(await sdk.calls.delete({ id: created.id })).toEqual(ended)
    await expect(sdk.calls.get({ id: created.id })).rejects.toMatchObject({ statusCode: 404 })
  })

  test('calls a customer by a number', async () => {
    const { id: assistantId } = await assistant()
    const { id: phoneNumberId } = await clock.settle(
      client.phoneNumbers.create({ provider: 'twilio', number: '+14155571000', twilioAccountSid: 'AC' }),
    )
    const customer = { number: '+14155550123' }
    expect(await sdk.calls.create({ assistantId, phoneNumberId, customer })).toMatchObject({
      type: 'outboundPhoneCall',
      phoneNumberId,
      customer,
    })
  })

  test.each([
    ['an assistant that does not exist', { assistantId: crypto.randomUUID() }],
    ['nobody', {}],
  ])('is refused a call to %s', async (_, body) => {
    await expect(sdk.calls.create(body)).rejects.toMatchObject({ statusCode: 400 })
  })
})
