import type { FinishReason } from 'ai'
import { boundedTools } from './bounded-tools.ts'
import { failedGeneration, GenerationFailedError } from './failure.ts'
import type { ThreadMessage } from './history.ts'
import { sourcesFor } from './local/sources.ts'
import type { UsableModel } from './models.ts'
import { type Sources, systemPrompt } from './prompt.ts'
import { countTokens } from './tokens.ts'
import type { OpenTools } from './toolbox.ts'

/** Bounds of a turn, in milliseconds. */
export interface TurnTimes {
  totalMs: number
  stepMs: number
  toolMs: number
}

export const defaultTurnTimes: TurnTimes = { totalMs: 120_000, stepMs: 60_000, toolMs: 20_000 }

/** One turn of an assistant. */
export interface Turn {
  model: UsableModel
  sources: Sources
  /** Ends with the newest user message, and holds no system turns. */
  thread: readonly ThreadMessage[]
  tools?: OpenTools
  maxOutputTokens: number
  times: TurnTimes
  /** Ends the call of the model. */
  signal: AbortSignal
}

/** What a turn gave. */
export interface TurnResult {
  text: string
  /** Of all steps; counted here where the server does not say. */
  usage: { promptTokens: number; completionTokens: number }
  finishReason: 'stop' | 'length' | 'content_filter'
  /** The distinct own names of the tools that were called, in the order of their first call. */
  toolsUsed: string[]
}

const maxSteps = 6

const finishReasons: Partial<Record<FinishReason, TurnResult['finishReason']>> = {
  length: 'length',
  'content-filter': 'content_filter',
}

/** What a model wrote, without what a database cannot keep. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed().trim()

async function load() {
  const ai = await import('ai')
  globalThis.AI_SDK_LOG_WARNINGS = false
  return ai
}

/** Loads what the first turn would have to wait for; takes about a second. */
export async function warmUp(): Promise<void> {
  await Promise.allSettled([load(), countTokens('.')])
}

async function usageOf(
  turn: Turn,
  system: string,
  text: string,
  told: { inputTokens: number | undefined; outputTokens: number | undefined },
): Promise<TurnResult['usage']> {
  const prompt = async () => countTokens([system, ...turn.thread.map(({ content }) => content)].join('\n'))
  return {
    promptTokens: told.inputTokens ?? (await prompt()),
    completionTokens: told.outputTokens ?? (await countTokens(text)),
  }
}

/**
 * Runs a turn: at most six steps with tools, the last without, one retry of what may be retried.
 * Throws GenerationFailedError for whatever gives no text: refusals and failures of the server, a timeout, an empty
 * answer, the end of `signal`.
 */
export async function generateTurn(turn: Turn): Promise<TurnResult> {
  const { model, sources, thread, tools, times, signal, maxOutputTokens } = turn
  const { generateText, stepCountIs } = await load()
  const system = systemPrompt(sources)
  try {
    const result = await generateText({
      model: model.model,
      instructions: system,
      messages: thread.map(({ role, content }) => ({ role, content })),
      tools: boundedTools(tools?.tools ?? {}),
      stopWhen: stepCountIs(maxSteps),
      prepareStep: ({ stepNumber }) => (stepNumber === maxSteps - 1 ? { toolChoice: 'none' as const } : {}),
      maxRetries: 1,
      maxOutputTokens,
      timeout: { ...times },
      abortSignal: signal,
      providerOptions: sourcesFor(sources),
    })
    const text = storable(result.text)
    if (text === '') throw new GenerationFailedError('empty answer')
    const called = result.steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))
    const known = called.filter((name) => Object.hasOwn(tools?.tools ?? {}, name))
    return {
      text,
      usage: await usageOf(turn, system, text, result.usage),
      finishReason: finishReasons[result.finishReason] ?? 'stop',
      toolsUsed: [...new Set(known.map((name) => tools?.nameOf(name) ?? name))],
    }
  } catch (error) {
    throw failedGeneration(error)
  }
}
