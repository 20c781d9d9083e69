import { expect, test } from 'vitest'
import { createMemoryCallStore } from '../../src/voice-platform/embedded/calls/memory-store.ts'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import type { WebhookMessage } from '../../src/webhooks/message.ts'
import { turnsDuring } from '../support/turns.ts'
import { createRig } from '../support/voice-platform/embedded.ts'

const members = 20
const handOvers = 5
const seats = Array.from({ length: members }, (_, n) => `m${n}`)

/** A platform that counts what is read, and how often an assistant is gone through to be shown. */
function countingRig() {
  const kept = createMemoryStore()
  const counts = { assistants: 0, tools: 0, shown: 0 }
  const counted: ProxyHandler<object> = {
    ownKeys(own) {
      counts.shown++
      return Reflect.ownKeys(own)
    },
  }
  const metadata = () => new Proxy({ plan: 'gold' }, counted)
  const store: typeof kept = {
    ...kept,
    async find(kind, id) {
      if (kind === 'tool') counts.tools++
      const found = await kept.find(kind, id)
      if (kind !== 'assistant' || !found) return found
      counts.assistants++
      return { ...found, body: { ...found.body, metadata: metadata() } }
    },
  }
  const keptCalls = createMemoryCallStore()
  const queued: WebhookMessage[] = []
  const queue = <Result>(write: Promise<Result>, messages: readonly WebhookMessage[]) => {
    queued.push(...messages)
    return write
  }
  const calls: typeof keptCalls = {
    ...keptCalls,
    add: (call, messages) => queue(keptCalls.add(call, messages), messages),
    end: (call, messages) => queue(keptCalls.end(call, messages), messages),
  }
  return { ...createRig({ store, calls }), counts, queued }
}
type Rig = ReturnType<typeof countingRig>

async function made(rig: Rig, path: string, body: object): Promise<string> {
  const response = await rig.call('POST', path, body)
  expect(response).toMatchObject({ status: 201 })
  return response.body.id
}

/** A squad of one assistant under many names, each of which hands over to the next. */
async function squadOf(rig: Rig, assistant: object): Promise<string> {
  const toolId = await made(rig, '/tool', { type: 'function', function: { name: 'look' } })
  const model = { provider: 'openai', model: 'gpt-4.1', toolIds: [toolId] }
  const assistantId = await made(rig, '/assistant', { name: 'Desk', firstMessage: 'Hello.', model, ...assistant })
  return made(rig, '/squad', {
    name: 'Desks',
    members: seats.map((name, n) => ({
      assistantId,
      assistantOverrides: { name },
      assistantDestinations:
        n < members - 1 ? [{ type: 'assistant', assistantName: `m${n + 1}`, description: 'pass along' }] : [],
    })),
  })
}

/** Runs a call; what it read and showed, and how often others had the thread meanwhile. */
async function callOf(rig: Rig, squadId: string) {
  Object.assign(rig.counts, { assistants: 0, tools: 0, shown: 0 })
  const messages = Array.from({ length: handOvers }, () => 'please pass along')
  const { result, turns } = await turnsDuring(() => rig.call('POST', '/simulation/calls', { squadId, messages }))
  return { body: result.body, turns, ...rig.counts }
}

test('a call to a squad reads each assistant once, prepares who speaks, and leaves the thread to others meanwhile', async () => {
  const rig = countingRig()
  const { body, turns, ...counts } = await callOf(rig, await squadOf(rig, {}))
  expect(body.artifact.transcript).toBe(`AI: Hello.\n${'User: please pass along\nAI: Hello.\n'.repeat(handOvers)}`)
  expect(counts).toEqual({ assistants: 1, tools: handOvers + 1, shown: 0 })
  // Each line of the caller, and each assistant that is read or prepared.
  expect(turns).toBeGreaterThanOrEqual(2 * handOvers)
})

test('what webhooks are told of an assistant is made once for each that speaks, one at a time', async () => {
  const rig = countingRig()
  const server = { url: 'https://hooks.example/calls' }
  const serverMessages = [
    'assistant.started',
    'status-update',
    'transfer-update',
    'speech-update',
    'conversation-update',
  ]
  const squadId = await squadOf(rig, { server, serverMessages })
  const silent = countingRig()
  const without = await callOf(silent, await squadOf(silent, {}))
  const { shown, turns } = await callOf(rig, squadId)
  const updates = rig.queued.filter(({ type }) => type === 'transfer-update')
  expect(updates.map(({ body }) => body.message)).toMatchObject(
    seats.slice(0, handOvers).map((name, n) => ({
      destination: { type: 'assistant', assistantName: `m${n + 1}` },
      fromAssistant: { name, metadata: { plan: 'gold' }, server: { url: server.url } },
      toAssistant: { name: `m${n + 1}`, metadata: { plan: 'gold' } },
      assistant: { name },
    })),
  )
  // The first one is told when the call begins, and again when it ends.
  expect(shown).toBe(handOvers + 2)
  expect(turns).toBeGreaterThanOrEqual(without.turns + handOvers)
})
