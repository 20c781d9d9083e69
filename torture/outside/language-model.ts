import type { Random } from '../random.ts'
import { startHttp } from './http.ts'

export const modelName = 'torture-model'

/** What a turn is said to have read, in tokens: less than any prompt has, so that no turn costs more than was held. */
const promptTokens = 10

function outputLimit(body: string): number {
  const { max_tokens: limit } = JSON.parse(body)
  return typeof limit === 'number' ? limit : 200
}

/** A language model that speaks for a moment and says what it used; now and then it fails. */
export async function startLanguageModel(random: Random) {
  const http = await startHttp((request, reply) => {
    const failing = random.chance(0.03)
    const used = Math.min(outputLimit(request.body || '{}'), random.between(20, 200))
    const message = { role: 'assistant', content: `Answer ${random.between(1, 1_000_000)}.` }
    setTimeout(
      () => {
        if (failing) return reply.json(400, { error: { message: 'The model is out of order.' } })
        reply.json(200, {
          id: 'answer',
          object: 'chat.completion',
          created: 0,
          model: modelName,
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: promptTokens, completion_tokens: used, total_tokens: promptTokens + used },
        })
      },
      random.between(20, 600),
    )
  })
  return { url: `${http.url}/v1`, stop: http.stop }
}
