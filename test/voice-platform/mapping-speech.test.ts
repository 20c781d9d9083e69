import { describe, test } from 'vitest'
import { expectMapping, type MappingRow } from '../support/voice-platform/assistant.ts'

describe('model, voice and transcriber', () => {
  const voice = (value: object, expected: object): MappingRow => [
    JSON.stringify(value),
    { voice: { ...value } },
    { voice: expected },
  ]
  const transcriber = (value: object, expected: object): MappingRow => [
    JSON.stringify(value),
    { transcriber: { ...value } },
    { transcriber: expected },
  ]
  const sarah = { provider: '11labs', voiceId: 'sarah' }
  const rows: MappingRow[] = [
    // voicemail
    [
      'voicemail detection off',
      { voicemailDetection: { enabled: false, beepDetection: true } },
      { voicemailDetection: 'off' },
    ],
    ['voicemail detection not enabled', { voicemailDetection: { beepDetection: true } }, { voicemailDetection: 'off' }],
    [
      'voicemail detection on, durations local',
      { voicemailDetection: { enabled: true, beepDetection: true, silenceDuration: 3, greetingDuration: 4 } },
      { voicemailDetection: { provider: 'vapi' } },
    ],
    [
      'no beep detection',
      { voicemailDetection: { enabled: true, beepDetection: false } },
      { voicemailDetection: { provider: 'vapi', beepMaxAwaitSeconds: 0 } },
    ],
    [
      'native voicemail keys',
      { voicemailDetection: { provider: 'google', beepMaxAwaitSeconds: 9 } },
      { voicemailDetection: { provider: 'google', beepMaxAwaitSeconds: 9 } },
    ],
    // model
    [
      'tool ids from both lists; function calls local',
      { model: { tools: ['t1', 't2'], toolIds: ['t2', 't3'], functionCall: 'auto', functionCallBehavior: 'required' } },
      { model: { provider: 'openai', model: 'gpt-4.1', messages: [], toolIds: ['t2', 't3', 't1'] } },
    ],
    [
      'inline tools pass',
      { model: { tools: [{ type: 'endCall' }] } },
      { model: { provider: 'openai', model: 'gpt-4.1', messages: [], toolIds: [], tools: [{ type: 'endCall' }] } },
    ],
    [
      'few tokens',
      { model: { maxTokens: 1 } },
      { model: { provider: 'openai', model: 'gpt-4.1', messages: [], toolIds: [], maxTokens: 50 } },
    ],
    [
      'many tokens',
      { model: { maxTokens: 99_999 } },
      { model: { provider: 'openai', model: 'gpt-4.1', messages: [], toolIds: [], maxTokens: 10_000 } },
    ],
    [
      'a model without maxTokens',
      { model: { provider: 'vapi', model: 'm', maxTokens: 100 } },
      { model: { provider: 'vapi', model: 'm', messages: [], toolIds: [] } },
    ],
    [
      'a chosen model',
      { model: { provider: 'anthropic', model: 'm', temperature: 1 } },
      { model: { provider: 'anthropic', model: 'm', temperature: 1, messages: [], toolIds: [] } },
    ],
    // voice
    voice({ voiceId: 'Cole' }, { provider: 'vapi', voiceId: 'Cole' }),
    voice({ ...sarah, speed: 4 }, { ...sarah, speed: 1.2 }),
    voice({ ...sarah, speed: 0.25 }, { ...sarah, speed: 0.7 }),
    voice({ provider: 'openai', voiceId: 'a', speed: 4 }, { provider: 'openai', voiceId: 'a', speed: 4 }),
    voice({ voiceId: 'Cole', speed: 4 }, { provider: 'vapi', voiceId: 'Cole', speed: 2 }),
    voice({ provider: 'azure', voiceId: 'a', speed: 0.25 }, { provider: 'azure', voiceId: 'a', speed: 0.5 }),
    voice({ provider: 'hume', voiceId: 'a', speed: 1 }, { provider: 'hume', voiceId: 'a' }),
    // transcriber
    transcriber(
      { formatTurns: true, confidenceThreshold: 0.4, language: 'de' },
      { provider: 'deepgram', model: 'nova-3', confidenceThreshold: 0.4, language: 'de' },
    ),
    transcriber(
      { provider: 'assembly-ai', formatTurns: true, language: 'de' },
      { provider: 'assembly-ai', formatTurns: true, language: 'multi' },
    ),
    transcriber({ provider: 'assembly-ai', language: 'en' }, { provider: 'assembly-ai', language: 'en' }),
    transcriber({ provider: '11labs', confidenceThreshold: 1 }, { provider: '11labs', confidenceThreshold: 0.9 }),
    transcriber(
      { provider: 'azure', confidenceThreshold: 1, language: 'en' },
      { provider: 'azure', language: 'en-US' },
    ),
    transcriber({ provider: 'google', language: 'de' }, { provider: 'google', language: 'German' }),
    transcriber({ provider: 'xai', language: 'cy' }, { provider: 'xai' }),
    transcriber({ provider: 'deepgram', language: 'DE' }, { provider: 'deepgram', language: 'de' }),
    transcriber({ provider: 'deepgram', language: 'en-GB' }, { provider: 'deepgram', language: 'en-GB' }),
    transcriber({ provider: 'speechmatics' }, { provider: 'speechmatics', customVocabulary: [] }),
  ]
  test.each(rows)('%s', (_, config, expected) => expectMapping(config, expected))
})
