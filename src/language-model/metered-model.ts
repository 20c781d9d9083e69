import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { createThreadShare } from '../runtime/thread-share.ts'
import type { Allowance, Usage } from './allowance.ts'
import { distinctCalls } from './distinct-calls.ts'
import { offeredTools, type Size, sizeOfPrompt, sizeOfTools } from './prompt-size.ts'
import { countTokens, reportedTokens, reportedWritten } from './tokens.ts'
import { withoutToolUse, withResultsWithin } from './tool-results.ts'

/** What an answer takes besides the prompt of the call that it comes after. */
const closing: Usage = { promptTokens: 192, completionTokens: 64 }
/** An answer is not written in fewer tokens while what tools gave can be cut for it. */
const worthwhileAnswer = 256
const maxCallsAtOnce = 8

/**
 * Parts that all streams together pass on before timers and sockets have their turn. Each goes through a chain of pipes
 * that never leaves the turn, and a server may send a whole response in one packet, as the built-in model does.
 */
const thread = createThreadShare(16)

/** What a call takes that offers tools, and after it one that does not, and answers whatever comes. */
export const withClosing = ({ promptTokens, completionTokens }: Usage): Usage => ({
  promptTokens: 2 * promptTokens + closing.promptTokens,
  completionTokens: completionTokens + closing.completionTokens,
})

/** What a call is made with, the size of its prompt with its tools, and how many tools its response may call. */
interface Admitted {
  options: LanguageModelV4CallOptions
  size: Size
  maxCalls: number
}

/** A prompt, and with less and less of what tools gave, at last nothing. */
async function* shorter(prompt: LanguageModelV4Prompt, { results }: Size): AsyncGenerator<LanguageModelV4Prompt> {
  if (results > 0) yield prompt
  for (let room = results / 2; room > closing.promptTokens; room /= 2) yield withResultsWithin(prompt, room)
  if (results > 0) yield withResultsWithin(prompt, 0)
  yield withoutToolUse(prompt)
}

const together = (prompt: Size, tools: Size): Size => ({
  counted: prompt.counted + tools.counted,
  most: prompt.most + tools.most,
  results: prompt.results,
})

const writtenIn = (part: LanguageModelV4Content | LanguageModelV4StreamPart): string => {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.delta
  return part.type === 'tool-call' ? `${part.toolName} ${part.input}` : ''
}

/** Lets the first calls of a response through, and everything that is none. */
function boundedCalls(maxCalls: number) {
  let calls = 0
  return ({ type }: { type: string }): boolean => type !== 'tool-call' || ++calls <= maxCalls
}

/**
 * A model for one turn, which is asked for no more than the turn's allowance covers. Before each call, what tools gave
 * is cut to the context, and what the call takes at most is set aside, with what an answer takes after it where it
 * offers tools. Where that cannot be had, the call offers none and has less of what tools gave, so that the model
 * answers with what it has. After each call, what it took is counted: as its server says, else as it is counted here.
 * Tools that a response calls have ids of their own in it.
 */
export function meteredModel(model: LanguageModelV4, allowance: Allowance, contextTokens: number) {
  let refusal: Error | undefined
  /** What the server counts beyond what was expected of it. */
  let surplus = 0

  const closingCall = async (options: LanguageModelV4CallOptions, size: Size, described: Size): Promise<Admitted> => {
    const { maxOutputTokens = closing.completionTokens } = options
    for await (const prompt of shorter(options.prompt, size)) {
      const isLast = withoutToolUse(prompt) === prompt
      const own = prompt === options.prompt ? size : await sizeOfPrompt(prompt)
      // A prompt that has no use of tools needs none to be described.
      const sum = isLast ? own : together(own, described)
      const call = { promptTokens: sum.most + surplus, completionTokens: maxOutputTokens }
      const least = Math.min(maxOutputTokens, isLast ? closing.completionTokens : worthwhileAnswer)
      const covered = await allowance.cover(call, least)
      if ('refused' in covered) {
        refusal = covered.refused
        continue
      }
      refusal = undefined
      const offer = isLast ? { tools: undefined, toolChoice: undefined } : { toolChoice: { type: 'none' } as const }
      const closed = { ...options, ...offer, prompt, maxOutputTokens: covered.completionTokens }
      // Some servers call tools although they are told not to.
      return { options: closed, size: sum, maxCalls: 0 }
    }
    throw refusal ?? new Error('nothing to ask')
  }

  const admit = async (asked: LanguageModelV4CallOptions): Promise<Admitted> => {
    const described = await sizeOfTools(offeredTools(asked))
    const whole = await sizeOfPrompt(asked.prompt)
    const room = contextTokens - described.most - (whole.most - whole.results)
    const isCut = whole.results > room
    const options = isCut ? { ...asked, prompt: await withResultsWithin(asked.prompt, room) } : asked
    const size = isCut ? await sizeOfPrompt(options.prompt) : whole
    const { maxOutputTokens = closing.completionTokens, toolChoice } = options
    if (described.most === 0 || toolChoice?.type === 'none') return closingCall(options, size, described)
    const call = withClosing({ promptTokens: size.most + described.most + surplus, completionTokens: maxOutputTokens })
    const least = Math.min(maxOutputTokens, closing.completionTokens) + closing.completionTokens
    const covered = await allowance.cover(call, least)
    if ('refused' in covered) return closingCall(options, size, described)
    const cap = covered.completionTokens - closing.completionTokens
    return { options: { ...options, maxOutputTokens: cap }, size: together(size, described), maxCalls: maxCallsAtOnce }
  }

  const count = async ({ size, options }: Admitted, usage: LanguageModelV4Usage, text: string): Promise<void> => {
    const { inputTokens, outputTokens, raw } = usage
    const reported = reportedTokens(inputTokens.total)
    const written = reportedWritten({ prompt: reported, written: outputTokens.total, raw }, options.maxOutputTokens)
    surplus = Math.max(surplus, (reported ?? 0) - size.most)
    allowance.count({
      promptTokens: reported ?? size.counted,
      completionTokens: written ?? (await countTokens(text)),
    })
  }

  const metered: LanguageModelV4 = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const admitted = await admit(options)
      const result = await model.doGenerate(admitted.options)
      await count(admitted, result.usage, result.content.map(writtenIn).join(''))
      const content = result.content.filter(boundedCalls(admitted.maxCalls))
      const distinct = distinctCalls()
      return { ...result, content: content.map((part) => (part.type === 'tool-call' ? distinct(part) : part)) }
    },
    async doStream(options) {
      const admitted = await admit(options)
      const { stream, ...result } = await model.doStream(admitted.options)
      const isBounded = boundedCalls(admitted.maxCalls)
      let written = ''
      const counting = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        async transform(part, controller) {
          await thread(1)
          written += writtenIn(part)
          if (part.type === 'finish') await count(admitted, part.usage, written)
          if (isBounded(part)) controller.enqueue(part)
        },
      })
      return { ...result, stream: stream.pipeThrough(counting) }
    },
  }
  return {
    model: metered,
    /** Why the last call was not made, which the library may hide in an error of its own. */
    refusal: () => refusal,
  }
}
