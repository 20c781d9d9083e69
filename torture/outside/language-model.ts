import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import { breakRequest } from './break.ts'
import { json, startHttp } from './http.ts'

export const modelName = 'torture-model'

/** What a turn is said to have read, in tokens: less than any prompt has, so that no turn costs more than was held. */
const promptTokens = 10

function outputLimit(body: string): number {
  const { max_tokens: limit } = JSON.parse(body)
  return typeof limit === 'number' ? limit : 200
}

/** A language model that speaks for a moment and says what it used; now and then it fails. */
export async function startLanguageModel(faults: Faults, random: Random) {
  const answer = (body: string) => {
    if (random.chance(0.03)) return json(400, { error: { message: 'The model is out of order.' } })
    const used = Math.min(outputLimit(body || '{}'), random.between(20, 200))
    const message = { role: 'assistant', content: `Answer ${random.between(1, 1_000_000)}.` }
    return json(200, {
      id: 'answer',
      object: 'chat.completion',
      created: 0,
      model: modelName,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: promptTokens, completion_tokens: used, total_tokens: promptTokens + used },
    })
  }
  const http = await startHttp((request, reply) => {
    const fault = faults.take('model')
    if (!fault) return void setTimeout(() => reply.send(answer(request.body)), random.between(20, 600))
    faults.count(`model: ${fault}`)
    breakRequest(fault, () => answer(request.body), reply, random)
  })
  return { url: `${http.url}/v1`, stop: http.stop }
}
