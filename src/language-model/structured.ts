import type { z } from 'zod'
import type { Usage } from './allowance.ts'
import { failedGeneration, GenerationFailedError } from './failure.ts'
import { gathering } from './gathering.ts'
import { modelLibrary } from './library.ts'
import type { UsableModel } from './models.ts'
import { withoutReasoning } from './reasoning.ts'
import { countTokens, reportedTokens, reportedWritten } from './tokens.ts'
import type { TurnTimes } from './turn.ts'

/** The first JSON object in a text: many models write something around it. */
function jsonIn(text: string): unknown {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  try {
    return JSON.parse(text.slice(from, to + 1))
  } catch {
    throw new GenerationFailedError('no JSON')
  }
}

/** A question to a model, and the bounds of its answer. */
export interface Question {
  instructions: string
  prompt: string
  maxOutputTokens: number
  times: TurnTimes
  signal: AbortSignal
}

/** Asks a model for a JSON object of the form of `schema`. Throws GenerationFailedError. */
export async function askForJson<T>(
  model: UsableModel,
  schema: z.ZodType<T>,
  { instructions, prompt, maxOutputTokens, times, signal }: Question,
): Promise<{ value: T; usage: Usage }> {
  const { generateText } = await modelLibrary()
  try {
    const gathered = gathering(model.model, times.stepMs)
    const call = { model: gathered, instructions, prompt, maxRetries: 1, maxOutputTokens, abortSignal: signal }
    const { text, usage } = await generateText({ ...call, timeout: { totalMs: times.totalMs } })
    const { inputTokens: told, outputTokens: written, raw } = usage
    const parsed = schema.safeParse(jsonIn(withoutReasoning(text)))
    if (!parsed.success) throw new GenerationFailedError('JSON of another form')
    return {
      value: parsed.data,
      usage: {
        promptTokens: reportedTokens(told) ?? (await countTokens(`${instructions}\n${prompt}`)),
        completionTokens: reportedWritten({ prompt: told, written, raw }, maxOutputTokens) ?? (await countTokens(text)),
      },
    }
  } catch (error) {
    throw failedGeneration(error)
  }
}
