import { describe, expect, test } from 'vitest'
import { toPlatformAssistant } from '../../src/voice-platform/mapping/assistant.ts'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import { violations } from '../support/voice-platform/description.ts'
import { createRig } from '../support/voice-platform/embedded.ts'
import { createRandom, randomAssistant } from '../support/voice-platform/random-assistant.ts'

const random = createRandom(20_300_101)
const inputs = Array.from({ length: 400 }, (_, index) => randomAssistant(random, index))
const options = { backgroundSoundBaseUrl: 'https://sounds.example/' }

describe('the description, read strictly', () => {
  test.each([
    ['an unknown field', { color: 'red' }],
    ['an unknown nested field', { compliancePlan: { recordingEnabled: true } }],
    ['a sound that is no URL', { backgroundSound: 'coffee-shop' }],
    ['a voice without its provider', { voice: { voiceId: 'Elliot' } }],
    ['a speed beyond the provider’s', { voice: { provider: '11labs', voiceId: 'sarah', speed: 2 } }],
    ['a retry plan of no kind', { server: { backoffPlan: { type: 'x', maxRetries: 1, baseDelaySeconds: 1 } } }],
    ['a null that clears nothing', { model: null }],
  ])('refuses %s', (_, body) => {
    expect(violations('UpdateAssistantDTO', body)).not.toEqual([])
  })
})

test('every body of the mapping is valid, accepted by the embedded platform and read back equal', async () => {
  const { client, platform, clock } = createRig()
  let id: string | null = null
  for (const input of inputs) {
    const body = toPlatformAssistant(input, options)
    expect(violations('UpdateAssistantDTO', body), JSON.stringify(body)).toEqual([])

    const created = await clock.settle(client.assistants.create(body))
    expect(violations('CreateAssistantDTO', platform.requests.at(-1)?.body)).toEqual([])
    expect(violations('Assistant', created)).toEqual([])
    expect(liveDiffers(body, created)).toEqual([])

    // One assistant goes through every configuration: nothing of an earlier one may stay.
    id ??= created.id
    const updated = await clock.settle(client.assistants.update(id, body))
    expect(platform.requests.at(-1)).toMatchObject({ method: 'PATCH' })
    expect(liveDiffers(body, updated)).toEqual([])
    expect(liveDiffers(body, await clock.settle(client.assistants.get(id)))).toEqual([])
    expect(violations('Assistant', updated)).toEqual([])
  }
})

test('a body names every managed field, whatever is stored', () => {
  const fields = inputs.map((input) => Object.keys(toPlatformAssistant(input, options)).sort().join())
  expect(new Set(fields).size).toBe(1)
  expect(inputs.every((input) => !Object.values(toPlatformAssistant(input)).includes(undefined as never))).toBe(true)
})
