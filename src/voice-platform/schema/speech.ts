import { z } from 'zod'
import { limits, type Range, transcriberConfidence, voiceSpeeds } from '../mapping/limits.ts'
import { address, byProvider, plan, text, within } from './validation.ts'

type Shape = z.core.$ZodLooseShape

const flag = z.boolean().optional()
const word = z.string().optional()
const words = z.array(z.string()).optional()
const range = (min: number, max = Number.MAX_SAFE_INTEGER) => within([min, max]).optional()
const anyObject = z.record(z.string(), z.unknown()).optional()
const server = z.looseObject({ url: address() })

/** A provider's entry where the table has a range for it. */
const ranged = (name: string, ranges: Readonly<Record<string, Range>>, provider: string): Shape => {
  const limit = ranges[provider]
  return limit ? { [name]: within(limit).optional() } : {}
}

/** Each transcriber's own keys; which models and languages exist is not checked. */
const transcribers: Record<string, Shape> = {
  'assembly-ai': {
    formatTurns: flag,
    endOfTurnConfidenceThreshold: range(0, 1),
    minEndOfTurnSilenceWhenConfident: range(0),
    wordFinalizationMaxWaitTime: range(0),
    maxTurnSilence: range(0),
    vadAssistedEndpointingEnabled: flag,
    mode: word,
    prompt: text(1750).optional(),
    agentContext: text(1750).optional(),
    languageCodes: words,
    speechModel: word,
    realtimeUrl: word,
    wordBoost: words,
    keytermsPrompt: words,
    endUtteranceSilenceThreshold: range(0),
    disablePartialTranscripts: flag,
  },
  azure: {
    segmentationStrategy: word,
    segmentationSilenceTimeoutMs: range(100, 5000),
    segmentationMaximumTimeMs: range(20_000, 70_000),
  },
  'custom-transcriber': { server },
  deepgram: {
    model: word,
    smartFormat: flag,
    mipOptOut: flag,
    numerals: flag,
    profanityFilter: flag,
    redaction: words,
    eotThreshold: range(0.5, 0.9),
    eotTimeoutMs: range(500, 10_000),
    languages: words,
    keywords: words,
    keyterm: words,
    endpointing: range(10, 500),
  },
  '11labs': {
    model: word,
    silenceThresholdSeconds: range(0.3, 3),
    minSpeechDurationMs: range(50, 2000),
    minSilenceDurationMs: range(50, 2000),
  },
  gladia: {
    model: word,
    languageBehaviour: word,
    languages: words,
    transcriptionHint: text(600).optional(),
    prosody: flag,
    audioEnhancer: flag,
    endpointing: range(0.01, 10),
    speechThreshold: range(0, 1),
    customVocabularyEnabled: flag,
    customVocabularyConfig: anyObject,
    region: z.enum(['us-west', 'eu-west']).optional(),
    receivePartialTranscripts: flag,
  },
  google: { model: word },
  speechmatics: {
    model: word,
    operatingPoint: z.enum(['standard', 'enhanced']).optional(),
    region: z.enum(['eu', 'us']).optional(),
    enableDiarization: flag,
    maxDelay: range(500, 10_000),
    customVocabulary: z.array(z.looseObject({ content: z.string() })),
    numeralStyle: z.enum(['written', 'spoken']).optional(),
    endOfTurnSensitivity: range(0, 1),
    removeDisfluencies: flag,
    minimumSpeechDuration: range(0, 5),
  },
  talkscriber: { model: word },
  openai: { model: z.string() },
  cartesia: { model: word },
  soniox: {
    model: word,
    languages: words,
    languageHintsStrict: flag,
    maxEndpointDelayMs: range(500, 3000),
    customVocabulary: words,
    contextGeneral: z.array(z.looseObject({})).optional(),
  },
  xai: { model: word },
  vapi: {
    version: z.enum(['latest', '1']).optional(),
    languages: words,
    keywords: words,
    turnTaking: z.enum(['intelligent', 'manual']).optional(),
  },
}

/** The transcriber, by provider. */
export const Transcriber = byProvider(
  Object.entries(transcribers).map(([provider, shape]) =>
    z.strictObject({
      provider: z.literal(provider),
      ...(provider === 'custom-transcriber' ? {} : { language: word }),
      ...(provider === 'vapi' ? {} : { fallbackPlan: anyObject }),
      ...ranged('confidenceThreshold', transcriberConfidence, provider),
      ...shape,
    }),
  ),
)

/** Each voice's own keys; which voices, models and languages exist is not checked. */
const voices: Record<string, Shape> = {
  azure: {},
  cartesia: {
    model: word,
    language: word,
    experimentalControls: anyObject,
    generationConfig: anyObject,
    pronunciationDictId: word,
  },
  'custom-voice': { voiceId: word, server },
  deepgram: { model: word, mipOptOut: flag },
  '11labs': {
    stability: range(0, 1),
    similarityBoost: range(0, 1),
    style: range(0, 1),
    useSpeakerBoost: flag,
    optimizeStreamingLatency: range(0, 4),
    enableSsmlParsing: flag,
    autoMode: flag,
    model: word,
    language: word,
    pronunciationDictionaryLocators: z.array(z.looseObject({})).optional(),
  },
  hume: { model: word, isCustomHumeVoice: flag, description: word },
  lmnt: { language: word },
  neuphonic: { model: word, language: z.unknown() },
  openai: { model: word, instructions: text(10_000).optional() },
  playht: {
    temperature: range(0.1, 2),
    emotion: word,
    voiceGuidance: range(1, 6),
    styleGuidance: range(1, 30),
    textGuidance: range(1, 2),
    model: word,
    language: word,
  },
  wellsaid: { model: word, enableSsml: flag, libraryIds: words },
  'rime-ai': {
    model: word,
    pauseBetweenBrackets: flag,
    phonemizeBetweenBrackets: flag,
    reduceLatency: flag,
    inlineSpeedAlpha: word,
    language: word,
  },
  'smallest-ai': { model: word },
  tavus: {
    personaId: word,
    callbackUrl: word,
    conversationName: word,
    conversationalContext: word,
    customGreeting: word,
    properties: anyObject,
  },
  vapi: {
    version: z
      .enum(['1', '2', 'latest'])
      .or(z.literal([1, 2]))
      .optional(),
    language: word,
    pronunciationDictionary: z.array(z.looseObject({})).optional(),
  },
  sesame: { model: z.string() },
  inworld: { model: word, languageCode: word, temperature: range(0.1, 2), speakingRate: range(0.5, 1.5) },
  minimax: {
    model: word,
    emotion: word,
    subtitleType: z.enum(['word', 'sentence']).optional(),
    pitch: range(-12, 12),
    volume: range(0.5, 2),
    region: z.enum(['worldwide', 'china']).optional(),
    languageBoost: word,
    textNormalizationEnabled: flag,
  },
  xai: { language: word },
  microsoft: { style: word, styleDegree: range(0.01, 2), role: word },
}

/** The voice, by provider. */
export const Voice = byProvider(
  Object.entries(voices).map(([provider, shape]) =>
    z.strictObject({
      provider: z.literal(provider),
      voiceId: z.string(),
      cachingEnabled: flag,
      chunkPlan: anyObject,
      ...(provider === 'vapi' ? {} : { fallbackPlan: anyObject }),
      ...ranged('speed', voiceSpeeds, provider),
      ...shape,
    }),
  ),
)

const detection = {
  beepMaxAwaitSeconds: within(limits.beepMaxAwaitSeconds).optional(),
  type: z.enum(['audio', 'transcript']).optional(),
  backoffPlan: plan({
    startAtSeconds: within([0, 3600]),
    frequencySeconds: range(2.5),
    maxRetries: range(1, 10),
  }).optional(),
}

/** `off`, or a detector by provider. */
export const VoicemailDetection = z.literal('off').or(
  byProvider([
    ...['google', 'openai', 'vapi'].map((provider) => z.strictObject({ provider: z.literal(provider), ...detection })),
    z.strictObject({
      provider: z.literal('twilio'),
      voicemailDetectionTypes: words,
      enabled: flag,
      machineDetectionTimeout: range(3, 59),
      machineDetectionSpeechThreshold: range(1000, 6000),
      machineDetectionSpeechEndThreshold: range(500, 5000),
      machineDetectionSilenceTimeout: range(2000, 10_000),
    }),
  ]),
)
