import type { z } from 'zod'
import { failedGeneration, GenerationFailedError } from './failure.ts'
import type { UsableModel } from './models.ts'
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

/** Asks a model for a JSON object of the form of `schema`. Throws GenerationFailedError. */
export async function askForJson<T>(
  model: UsableModel,
  schema: z.ZodType<T>,
  question: { instructions: string; prompt: string; times: TurnTimes; signal: AbortSignal },
): Promise<T> {
  const { instructions, prompt, times, signal } = question
  const { generateText } = await import('ai')
  try {
    const call = { model: model.model, instructions, prompt, maxRetries: 1, maxOutputTokens: 800, abortSignal: signal }
    const { text } = await generateText({ ...call, timeout: { ...times } })
    const parsed = schema.safeParse(jsonIn(text))
    if (!parsed.success) throw new GenerationFailedError('JSON of another form')
    return parsed.data
  } catch (error) {
    throw failedGeneration(error)
  }
}
