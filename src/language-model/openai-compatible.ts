import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { boundedBody } from '../outgoing/bounded-body.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { modelEntry } from './model-entry.ts'
import type { UsableModel } from './models.ts'
import { sentAgain } from './put-off.ts'
import { repairedStreams } from './repaired-events.ts'
import { defaultTurnSettings } from './settings.ts'
import { currentListener } from './silence.ts'
import { takingTurns } from './taking-turns.ts'
import { streamingFetch } from './whole-responses.ts'

/** An OpenAI-compatible server: LLM_BASE_URL, LLM_API_KEY, LLM_MODELS. */
export interface ModelServer {
  baseUrl: string
  apiKey: string | undefined
  /** Each as `modelEntry` reads it. */
  models: readonly string[]
}

const provider = 'openai-compatible'

/** A token of a streamed response takes three hundred bytes, more where a server says much about each. */
const bytesPerToken = 1024
const bytesBesides = 1024 * 1024

type Fetch = typeof globalThis.fetch

/** The same bytes, of which whoever waits for something to come hears. */
function heard(body: ReadableStream<Uint8Array>, hear: () => void): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        hear()
        controller.enqueue(bytes)
      },
    }),
  )
}

/** Reads no more of a response than a model can need: a server that goes on for ever would fill the memory. */
function boundedFetch(fetch: Fetch, outputTokens = defaultTurnSettings.outputTokens): Fetch {
  const maxBytes = bytesBesides + outputTokens * bytesPerToken
  const bounded = async (...[input, init]: Parameters<Fetch>) => {
    const hear = currentListener()
    const response = await fetch(input, init)
    hear()
    const { status, statusText, headers, body } = response
    if (!body) return response
    const signal = init?.signal ?? new AbortController().signal
    return new Response(boundedBody(heard(body, hear), maxBytes, signal), { status, statusText, headers })
  }
  return Object.assign(bounded, { preconnect: fetch.preconnect })
}

/** The models of an OpenAI-compatible server, reached through `fetch`. */
export function openAiCompatibleModels(server: ModelServer, fetch: Fetch, clock: Clock = systemClock): UsableModel[] {
  const { baseUrl: baseURL, apiKey } = server
  const settings = { name: provider, baseURL, apiKey, includeUsage: true }
  const entries = server.models.map(modelEntry).filter((entry) => entry !== undefined)
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()].map((entry) => ({
    ...entry,
    label: entry.id,
    ownedBy: provider,
    model: createOpenAICompatible({
      ...settings,
      fetch: repairedStreams(streamingFetch(boundedFetch(sentAgain(fetch), entry.outputTokens), clock)),
      transformRequestBody: takingTurns,
    }).chatModel(entry.id),
  }))
}
