import type { FinishReason, ModelMessage } from 'ai'
import { type Allowance, reservingAllowance, type Usage } from './allowance.ts'
import { callByBareName } from './bare-names.ts'
import { boundedTools } from './bounded-tools.ts'
import { repairOf, roomForThread, systemOf } from './estimate.ts'
import { failedGeneration, GenerationFailedError } from './failure.ts'
import { formatted, type ResponseFormat, repairRequest } from './formats.ts'
import { gathering } from './gathering.ts'
import { countMessages, type ThreadMessage, trimHistory } from './history.ts'
import { modelLibrary } from './library.ts'
import { localModelId, sourcesFor } from './local/sources.ts'
import { meteredModel } from './metered-model.ts'
import type { UsableModel } from './models.ts'
import type { Sources } from './prompt.ts'
import { type TextListener, visibleText, withoutReasoning } from './reasoning.ts'
import { boundedSilence, listeningDuring } from './silence.ts'
import { countTokens } from './tokens.ts'
import { type ToolUse, toolUsesIn } from './tool-uses.ts'
import type { OpenTools } from './toolbox.ts'

/** Bounds of a turn, in milliseconds. */
export interface TurnTimes {
  /** Of all its calls together. */
  totalMs: number
  /** How long nothing may come of a step. */
  stepMs: number
  toolMs: number
}

export const defaultTurnTimes: TurnTimes = { totalMs: 300_000, stepMs: 60_000, toolMs: 20_000 }

/** How a model writes, where a caller says so. */
export interface Sampling {
  temperature?: number
  topP?: number
  stopSequences?: string[]
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  /** Who the caller's user is, for the model's server. */
  user?: string
}

/** One turn of an assistant. */
export interface Turn {
  model: UsableModel
  sources: Sources
  /** Ends with the newest user message, and holds no system turns. */
  thread: readonly ThreadMessage[]
  tools?: OpenTools
  /** What its calls may take. */
  allowance: Allowance
  /** How many tokens a prompt may have with what tools gave. */
  contextTokens: number
  /** Of a call, as far as the allowance covers it. */
  maxOutputTokens: number
  sampling?: Sampling
  /**
   * A text that its length or a stop sequence ended before its first word is no failure: who asked is told why it
   * ended.
   */
  mayBeEmpty?: boolean | undefined
  format?: ResponseFormat | undefined
  times: TurnTimes
  /** Ends the call of the model. */
  signal: AbortSignal
  /** Hears the text while it is written; not with a `format`, which the whole text is judged by. */
  onText?: TextListener
}

/** What a turn gave. */
export interface TurnResult {
  text: string
  /** Of all that its allowance was asked for; counted here where the server does not say. */
  usage: Usage
  finishReason: 'stop' | 'length' | 'content_filter'
  /** The distinct own names of the tools that were called, in the order of their first call. */
  toolsUsed: string[]
  /** Every use of a known tool, in order, with texts of bounded length. */
  toolUses: ToolUse[]
}

const maxSteps = 6

const finishReasons: Partial<Record<FinishReason, TurnResult['finishReason']>> = {
  length: 'length',
  'content-filter': 'content_filter',
}

/** Loads what the first turn would have to wait for; takes about a second. */
export async function warmUp(): Promise<void> {
  await Promise.allSettled([modelLibrary(), countTokens('.')])
}

/** The settings of one call of the model, with as many steps as its tools need. */
function settingsOf(turn: Turn, system: string, thread: readonly ThreadMessage[], maxOutputTokens: number) {
  const { model, sources, tools, times, signal, sampling = {} } = turn
  const { user, ...settings } = sampling
  return {
    model: model.model,
    instructions: system,
    messages: thread.map(({ role, content }): ModelMessage => ({ role, content })),
    tools: boundedTools(tools?.tools ?? {}),
    ...(tools && { repairToolCall: callByBareName(tools) }),
    prepareStep: ({ stepNumber }: { stepNumber: number }) =>
      stepNumber === maxSteps - 1 ? { toolChoice: 'none' as const } : {},
    maxRetries: 0,
    maxOutputTokens,
    ...settings,
    timeout: { toolMs: times.toolMs },
    abortSignal: signal,
    providerOptions: { ...sourcesFor(sources, tools), ...(user !== undefined && { openaiCompatible: { user } }) },
  }
}

type Settings = ReturnType<typeof settingsOf>

async function readText(settings: Settings, onText: TextListener, hear: () => void) {
  const { streamText, stepCountIs } = await modelLibrary()
  // A failure is thrown below; the library would print it.
  const result = streamText({ ...settings, stopWhen: stepCountIs(maxSteps), onError() {} })
  const visible = visibleText(onText)
  for await (const part of result.stream) {
    hear()
    if (part.type === 'start-step') visible.restart()
    if (part.type === 'text-delta') visible.push(part.text)
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw settings.abortSignal.reason ?? new GenerationFailedError('took too long')
  }
  visible.end()
  const [text, steps, finishReason] = [await result.text, await result.steps, await result.finishReason]
  const responseMessages = await result.responseMessages
  // A server that hangs up says no reason.
  if (finishReason === 'other' && (await result.rawFinishReason) === undefined) {
    throw new GenerationFailedError('cut off')
  }
  return { text, steps, finishReason, responseMessages }
}

/** A call whose text is streamed while it is written. Throws what ends it early. */
async function streamed(settings: Settings, stepMs: number, onText: TextListener) {
  const silence = boundedSilence(stepMs)
  const hear = () => silence.restart()
  const abortSignal = AbortSignal.any([settings.abortSignal, silence.signal])
  return listeningDuring(hear, () => readText({ ...settings, abortSignal }, onText, hear)).finally(silence.end)
}

/** What one call of the model gave, with all its steps. */
type Called = Omit<TurnResult, 'usage'>

async function callModel(
  turn: Turn,
  system: string,
  thread: readonly ThreadMessage[],
  maxOutputTokens: number,
): Promise<Called> {
  const { tools, format, onText } = turn
  const settings = settingsOf(turn, system, thread, maxOutputTokens)
  const { generateText, stepCountIs, Output } = await modelLibrary()
  const ask = async (asked: Settings) =>
    onText && !format
      ? await streamed(asked, turn.times.stepMs, onText)
      : await generateText({
          ...asked,
          stopWhen: stepCountIs(maxSteps),
          ...(format && { output: { ...Output.text(), responseFormat: Promise.resolve({ type: 'json' as const }) } }),
        })
  const first = await ask(settings)
  // Some servers call tools in a step that may call none: they are asked once more, and told of no tools.
  const onlyCalls = first.steps.length > 1 && first.finishReason === 'tool-calls' && withoutReasoning(first.text) === ''
  const messages = [...settings.messages, ...first.responseMessages]
  const result = onlyCalls ? await ask({ ...settings, messages, tools: {} }) : first
  const text = withoutReasoning(result.text)
  const stops = !format && (turn.sampling?.stopSequences ?? []).length > 0
  const isStopped = stops && result.finishReason === 'stop'
  const isEnded = (result.finishReason === 'length' || isStopped) && turn.mayBeEmpty
  if (text === '' && !isEnded) {
    throw new GenerationFailedError(result.finishReason === 'length' ? 'cut before its first word' : 'empty answer')
  }
  const { steps } = first
  const called = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))
  const known = called.filter((name) => Object.hasOwn(tools?.tools ?? {}, name))
  return {
    text,
    finishReason: finishReasons[result.finishReason] ?? ('stop' as const),
    toolsUsed: known.map((name) => tools?.nameOf(name) ?? name),
    toolUses: toolUsesIn(steps, tools),
  }
}

/** A second call says what was wrong with the first one's form. Throws GenerationFailedError when that fails too. */
async function inForm(
  turn: Turn & { format: ResponseFormat },
  system: string,
  reserve: (usage?: Usage) => void,
): Promise<Called> {
  const { format, thread, maxOutputTokens, allowance } = turn
  const most = Math.max(1, Math.min(maxOutputTokens, Math.floor(allowance.maxCompletionTokens / 2)))
  reserve(await repairOf({ ...turn, tools: turn.tools?.tools, maxOutputTokens: most }))
  const first = await callModel(turn, system, thread, most)
  const judged = formatted(format, first.text)
  if ('text' in judged) return { ...first, text: judged.text }
  if (first.finishReason === 'length') return first
  const repair: ThreadMessage[] = [
    { role: 'assistant', content: first.text },
    { role: 'user', content: repairRequest(judged.wrong) },
  ]
  reserve()
  const room = (await roomForThread({ ...turn, tools: turn.tools?.tools })) - (await countMessages(repair))
  const second = await callModel(turn, system, [...(await trimHistory(thread, room)), ...repair], most)
  const toolsUsed = [...first.toolsUsed, ...second.toolsUsed]
  const result = { ...second, toolsUsed, toolUses: [...first.toolUses, ...second.toolUses] }
  const again = formatted(format, second.text)
  if ('text' in again) return { ...result, text: again.text }
  if (second.finishReason === 'length') return result
  throw new GenerationFailedError('another form than asked for')
}

/**
 * Runs a turn: at most six steps, the last without tools, one retry of what may be retried, and one more call where the
 * last step does nothing but call tools all the same, and where a response has not the form that was asked for. Throws
 * GenerationFailedError for whatever gives no text: refusals and failures of the server, a timeout, an empty answer,
 * another form, the end of `signal`; and what its allowance refuses a call with.
 */
export async function generateTurn(turn: Turn): Promise<TurnResult> {
  const { sources, thread, format, maxOutputTokens, allowance, contextTokens } = turn
  const system = systemOf(sources, format)
  const { allowance: reserving, reserve } = reservingAllowance(allowance)
  const { id, model: own } = turn.model
  // The built-in model has written all of it before the first word is read.
  const asked = id === localModelId ? own : gathering(own, turn.times.stepMs)
  const { model, refusal } = meteredModel(asked, reserving, contextTokens)
  const signal = AbortSignal.any([turn.signal, AbortSignal.timeout(turn.times.totalMs)])
  const metered = { ...turn, signal, model: { ...turn.model, model } }
  try {
    const result = format
      ? await inForm({ ...metered, format }, system, reserve)
      : await callModel(metered, system, thread, maxOutputTokens)
    return { ...result, usage: allowance.used, toolsUsed: [...new Set(result.toolsUsed)] }
  } catch (error) {
    throw refusal() ?? failedGeneration(error)
  }
}
