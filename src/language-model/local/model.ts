import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { UsableModel } from '../models.ts'
import type { Sources } from '../prompt.ts'
import { countTokens } from '../tokens.ts'
import { extractResponse } from './answer.ts'
import { readConversation } from './conversation.ts'
import { lexicalRanker, type Ranker } from './ranker.ts'
import { localModelId, sourcesIn } from './sources.ts'
import { chooseTool } from './tool-choice.ts'

const nothingGiven: Sources = {
  agentName: 'an assistant',
  description: null,
  instructions: null,
  memory: null,
  passages: [],
  preamble: [],
  workspaceId: 0,
}

/** The beginning of a text, in whole words, that has no more tokens than `max`; one word at least. */
async function withinTokens(text: string, max: number): Promise<string> {
  if ((await countTokens(text)) <= max) return text
  const words = text.split(/(?<=\s)/)
  let [least, most] = [1, words.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if ((await countTokens(words.slice(0, middle).join('').trimEnd())) <= max) least = middle
    else most = middle - 1
  }
  return words.slice(0, least).join('').trimEnd()
}

async function answer(options: LanguageModelV4CallOptions, ranker: Ranker): Promise<LanguageModelV4GenerateResult> {
  const { maxOutputTokens = Number.POSITIVE_INFINITY, stopSequences = [] } = options
  const { prompt, tools = [], toolChoice, providerOptions, abortSignal } = options
  abortSignal?.throwIfAborted()
  const conversation = readConversation(prompt)
  const callable = toolChoice?.type === 'none' || conversation.toolResults.length > 0 ? [] : tools
  const chosen = chooseTool(
    callable.filter((tool) => tool.type === 'function'),
    conversation.question,
  )
  const sources = sourcesIn(providerOptions) ?? nothingGiven
  const whole = chosen ? '' : await extractResponse(sources, conversation, ranker, abortSignal)
  const stop = Math.min(whole.length, ...stopSequences.map((end) => whole.indexOf(end)).filter((at) => at >= 0))
  const text = await withinTokens(whole.slice(0, stop).trimEnd(), maxOutputTokens)
  const isCut = text.length < whole.slice(0, stop).trimEnd().length
  const call = chosen && JSON.stringify(chosen.input)
  const [input, output] = await Promise.all([countTokens(JSON.stringify(prompt)), countTokens(call ?? text)])
  return {
    content:
      chosen && call !== undefined
        ? [{ type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: chosen.name, input: call }]
        : [{ type: 'text', text }],
    finishReason: { unified: chosen ? 'tool-calls' : isCut ? 'length' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
    warnings: [],
  }
}

/** A whole response as the parts in which a model would write it: word by word. */
function* partsOf({ content, ...ending }: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: ending.warnings }
  for (const part of content) {
    if (part.type === 'tool-call') yield part
    if (part.type !== 'text') continue
    const id = 'text'
    yield { type: 'text-start', id }
    for (const delta of part.text.split(/(?<=\s)(?=\S)/)) yield { type: 'text-delta', id, delta }
    yield { type: 'text-end', id }
  }
  yield { type: 'finish', finishReason: ending.finishReason, usage: ending.usage }
}

/**
 * The model of an installation without a language model: it quotes the agent's instructions, memory, files and thread,
 * and says openly when they hold no answer.
 */
export function localModel(ranker: Ranker = lexicalRanker): UsableModel {
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'switchboard',
    modelId: localModelId,
    supportedUrls: {},
    doGenerate: (options) => answer(options, ranker),
    async doStream(options) {
      const parts = partsOf(await answer(options, ranker))
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        pull(controller) {
          const { value, done } = parts.next()
          if (done) controller.close()
          else controller.enqueue(value)
        },
      })
      return { stream }
    },
  }
  return {
    id: localModelId,
    samples: false,
    label: 'Local extractive (quotes its sources, generates nothing)',
    ownedBy: 'switchboard',
    // It searches nothing of itself: it quotes what was found.
    searchesAgain: false,
    model,
  }
}
