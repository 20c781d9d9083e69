import { describe, expect, test } from 'vitest'
import { toPlatformAssistant } from '../../src/voice-platform/mapping/assistant.ts'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import { bareAssistant } from '../support/voice-platform/assistant.ts'

describe('liveDiffers', () => {
  const body = toPlatformAssistant({
    ...bareAssistant,
    serverUrl: 'https://hooks.example/x',
    messages: [{ role: 'user', content: 'a' }],
  })
  const live = { ...structuredClone(body), id: '1', orgId: '2', createdAt: 'now', updatedAt: 'now' }
  test.each<[string, object, string[]]>([
    ['the same', live, []],
    ['fields that are not ours', { ...live, latestVersion: 'v', isServerUrlSecretSet: false }, []],
    [
      'nothing instead of empty',
      { ...live, endCallPhrases: undefined, firstMessage: null, startSpeakingPlan: undefined },
      [],
    ],
    ['another name', { ...live, name: 'Bob' }, ['name']],
    ['a nested value', { ...live, voice: { provider: 'vapi', voiceId: 'Cole' } }, ['voice.voiceId']],
    ['a nested value too many', { ...live, model: { ...body.model, maxTokens: 60 } }, ['model.maxTokens']],
    [
      'an item',
      { ...live, model: { ...body.model, messages: [{ role: 'user', content: 'b' }] } },
      ['model.messages.0.content'],
    ],
    ['a list of another length', { ...live, serverMessages: ['hang'] }, ['serverMessages']],
    ['a lost block', { ...live, server: undefined }, ['server']],
    ['something where nothing should be', { ...live, endCallMessage: 'Bye' }, ['endCallMessage']],
  ])('%s', (_, actual, paths) => {
    expect(liveDiffers(body, actual)).toEqual(paths)
  })
})
