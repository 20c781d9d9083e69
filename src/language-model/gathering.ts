import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { createThreadShare } from '../runtime/thread-share.ts'
import { GenerationFailedError } from './failure.ts'
import { boundedSilence, listeningDuring } from './silence.ts'

/**
 * Parts that are read of all responses before timers and sockets have their turn: a server may send them in one packet.
 */
const thread = createThreadShare(64)

/** The whole response of which these are the parts. Throws what ends them early. */
async function gathered(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  hear: () => void,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  const write = (type: 'text' | 'reasoning', text: string) => {
    const last = content.at(-1)
    if (last?.type === type) last.text += text
    else content.push({ type, text })
  }
  let warnings: LanguageModelV4GenerateResult['warnings'] = []
  let ending: Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage'> | undefined
  for await (const part of stream) {
    hear()
    await thread(1)
    if (part.type === 'error') throw part.error
    if (part.type === 'stream-start') warnings = part.warnings
    else if (part.type === 'text-delta') write('text', part.delta)
    else if (part.type === 'reasoning-delta') write('reasoning', part.delta)
    else if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'finish') ending = part
  }
  if (!ending) throw new GenerationFailedError('cut off')
  return { content, warnings, finishReason: ending.finishReason, usage: ending.usage }
}

/**
 * The same model, of which a whole response is read while it is written: one that takes long can be told so from one
 * that has gone silent, which fails after `silenceMs` in which nothing came, not even a comment.
 */
export const gathering = (model: LanguageModelV4, silenceMs: number): LanguageModelV4 => ({
  specificationVersion: model.specificationVersion,
  provider: model.provider,
  modelId: model.modelId,
  supportedUrls: model.supportedUrls,
  doStream: (options) => model.doStream(options),
  async doGenerate(options) {
    const silence = boundedSilence(silenceMs)
    const { abortSignal = silence.signal } = options
    try {
      const asked = { ...options, abortSignal: AbortSignal.any([abortSignal, silence.signal]) }
      const hear = () => silence.restart()
      return await listeningDuring(hear, async () => {
        const { stream } = await model.doStream(asked)
        return gathered(stream, hear)
      })
    } finally {
      silence.end()
    }
  },
})
