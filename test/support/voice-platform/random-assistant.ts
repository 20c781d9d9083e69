import {
  clientMessages,
  firstMessageModes,
  messageRoles,
  serverMessages,
} from '../../../src/voice-platform/mapping/limits.ts'
import type { LiveAssistantInput } from '../../../src/voice-platform/mapping/live-assistant.ts'

/** A small deterministic generator (mulberry32): the same seed, the same assistants. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + next() * (max - min)
  const whole = (min: number, max: number) => Math.floor(between(min, max + 1))
  const one = <T>(choices: readonly [T, ...T[]] | readonly T[]): T => {
    const chosen = choices[whole(0, choices.length - 1)]
    if (chosen === undefined) throw new Error('Nothing to choose from')
    return chosen
  }
  const flag = () => next() < 0.5
  /** Absent, null or a value: every stored field has these three. */
  const maybe = <T>(make: () => T): T | null | undefined => (next() < 0.25 ? undefined : next() < 0.15 ? null : make())
  const some = <T>(choices: readonly T[]) => choices.filter(flag)
  const text = (max: number) =>
    Array.from({ length: whole(0, max) }, () => one(['a', 'é', ' ', '😀', '{', '"'])).join('')
  return { between, whole, one, flag, maybe, some, text }
}

type Random = ReturnType<typeof createRandom>

const voices = [
  { provider: 'openai', voiceId: 'alloy' },
  { provider: 'vapi', voiceId: 'Elliot' },
  { provider: '11labs', voiceId: 'sarah' },
  { provider: 'azure', voiceId: 'emma' },
  { provider: 'cartesia', voiceId: 'a-voice', model: 'sonic-3' },
  { provider: 'deepgram', voiceId: 'asteria', model: 'aura-2' },
  { provider: 'playht', voiceId: 'jennifer' },
  { provider: 'lmnt', voiceId: 'lily' },
  { provider: 'hume', voiceId: 'a-voice' },
  { provider: 'rime-ai', voiceId: 'cove' },
  { provider: 'minimax', voiceId: 'a-voice' },
  { provider: 'sesame', voiceId: 'a-voice', model: 'csm-1b' },
  { provider: 'xai', voiceId: 'eve' },
  { voiceId: 'Elliot' },
  {},
]

const models = [
  { provider: 'openai', model: 'gpt-4.1', temperature: 0.3 },
  { provider: 'anthropic', model: 'claude-3-opus-20240229' },
  { provider: 'custom-llm', model: 'own', url: 'https://llm.example/v1' },
  { provider: 'openrouter', model: 'any/model' },
  { provider: 'vapi', model: 'own' },
  {},
]

const transcribers = [
  { provider: 'deepgram', model: 'nova-3' },
  { provider: 'openai', model: 'gpt-4o-transcribe' },
  ...['assembly-ai', 'azure', '11labs', 'gladia', 'google', 'speechmatics', 'talkscriber', 'cartesia'].map(
    (provider) => ({ provider }),
  ),
  ...['soniox', 'xai', 'vapi'].map((provider) => ({ provider })),
  {},
]

const languages = ['en', 'de', 'es', 'ja', 'pt', 'nl', 'uk', 'yo', 'jw', 'xx', 'af', 'zh']

const sounds = ['office', 'off', 'none', 'coffee-shop', 'rain-on-roof', 'https://sounds.example/a.mp3']

/** An arbitrary stored assistant: any field absent, null or any value that the write body allows. */
export function randomAssistant(random: Random, index: number): LiveAssistantInput {
  const { between, whole, one, flag, maybe, some, text } = random
  const switches = (...names: string[]) => Object.fromEntries(names.map((name) => [name, maybe(flag)]))
  return {
    externalRef: `ref-${index}`,
    name: `Assistant ${index} ${text(25)}`,
    firstMessage: maybe(() => text(1000)) ?? null,
    endCallMessage: maybe(() => text(1400)) ?? null,
    voicemailMessage: maybe(() => text(1400)) ?? null,
    messages: Array.from({ length: whole(0, 3) }, () => ({ role: one([...messageRoles, 'other']), content: text(50) })),
    serverUrl: maybe(() => one(['https://hooks.example/calls', 'http://localhost:9/x'])) ?? null,
    metadata: { company_name: text(20), always_say: [text(5)], business_hours: { monday: '9-5' } },
    config: {
      firstMessageMode: maybe(() => one([...firstMessageModes, 'else'])),
      firstMessageInterruptionsEnabled: maybe(flag),
      endCallPhrases: maybe(() => [text(4), text(160), 'goodbye', 7]),
      voicemailDetection: maybe(() => ({
        ...switches('enabled', 'beepDetection'),
        silenceDuration: whole(0, 9),
        greetingDuration: maybe(() => whole(0, 9)),
      })),
      maxDurationSeconds: maybe(() => whole(10, 43_200)),
      backgroundSound: maybe(() => one(sounds)),
      modelOutputInMessagesEnabled: maybe(flag),
      clientMessages: maybe(() => [...some(clientMessages), 'unknown-type']),
      serverMessages: maybe(() => [...some(serverMessages), 3]),
      transportConfigurations: maybe(() => [{ provider: 'twilio', timeout: 60, record: flag() }, { provider: 'else' }]),
      transcriber: maybe(() => ({
        ...one(transcribers),
        language: maybe(() => one(languages)),
        confidenceThreshold: maybe(() => between(0, 1)),
        formatTurns: maybe(flag),
      })),
      model: maybe(() => ({
        ...one(models),
        maxTokens: maybe(() => whole(1, 20_000)),
        toolIds: maybe(() => ['6a3e1fd2-7ab4-4f42-8d6b-6f1f0e9e2c11']),
        tools: maybe(() => ['0d5c3b5e-2f29-4b2b-9d39-0e0c3a4d1b22', { type: 'endCall' }]),
        functionCall: 'auto',
        functionCallBehavior: 'required',
      })),
      voice: maybe(() => ({ ...one(voices), speed: maybe(() => between(0.25, 4)) })),
      compliancePlan: maybe(() => ({ ...switches('recordingEnabled', 'transcriptionEnabled'), dataRetentionDays: 30 })),
      backgroundSpeechDenoisingPlan: maybe(() => switches('smartDenoising', 'fourierDenoising')),
      backgroundDenoisingEnabled: maybe(flag),
      startSpeakingPlan: maybe(() => ({ initialDelayMs: maybe(() => whole(0, 9000)), backgroundSoundVolume: 0.4 })),
      stopSpeakingPlan: maybe(() => ({
        initialDelayMs: maybe(() => whole(0, 20_000)),
        numWords: maybe(() => whole(0, 10)),
        backgroundSoundVolume: 0.4,
      })),
      monitorPlan: maybe(() => ({ ...switches('listenEnabled', 'controlEnabled'), websocketUrl: 'wss://x.example' })),
      keypadInputPlan: maybe(() => ({ ...switches('enabled', 'terminateOnHash'), maxDigits: whole(1, 10) })),
      analysisPlan: maybe(() => ({
        summaryPlan: maybe(() => ({ enabled: flag(), timeoutSeconds: whole(1, 60) })),
        successEvaluationPlan: maybe(() => ({ rubric: 'PassFail' })),
      })),
      artifactPlan: maybe(() => switches('recording', 'transcript', 'summary', 'analysis')),
      observabilityPlan: maybe(() => ({ provider: 'langfuse', tags: ['a'], traceName: null })),
      credentialIds: maybe(() => ['9be0e0a5-7f3b-44d4-a0fa-3d1c6cf0aa01', 5]),
      hooks: maybe(() => [
        { on: 'call.ending', do: [{ type: 'message.add', message: { role: 'user', content: 'x' } }] },
      ]),
    },
  }
}
