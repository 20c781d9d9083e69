import type { Converse } from '../voice-platform/converse.ts'
import { trimHistory } from './history.ts'
import type { Models } from './models.ts'
import { generateTurn } from './turn.ts'

/** Within the time that a call of the platform may take. */
const replyMs = 18_000
const contextTokens = 16_000
const outputTokens = 1_024

/**
 * Lets a language model answer for the embedded platform's assistants: the default model of this installation, from
 * the rendered prompt and what was said. Throws GenerationFailedError.
 */
export function converseThrough(models: Models): Converse {
  return async (messages) => {
    const prompt = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
    const spoken = messages.filter(({ role }) => role !== 'system')
    const { text } = await generateTurn({
      model: models.default,
      sources: {
        agentName: 'an assistant',
        description: null,
        instructions: prompt.join('\n\n') || null,
        memory: null,
        passages: [],
        preamble: [],
      },
      thread: await trimHistory(spoken, contextTokens),
      maxOutputTokens: outputTokens,
      times: { totalMs: replyMs, stepMs: replyMs, toolMs: replyMs },
      signal: AbortSignal.timeout(replyMs),
    })
    return text
  }
}
