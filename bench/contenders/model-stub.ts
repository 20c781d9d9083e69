import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { UsableModel } from '../../src/language-model/models.ts'

const text = 'We deliver on Mondays.'
const ending = {
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage: {
    inputTokens: { total: 400, noCache: 400, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 6, text: 6, reasoning: undefined },
  },
}
const parts: LanguageModelV4StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: 'text' },
  { type: 'text-delta', id: 'text', delta: text },
  { type: 'text-end', id: 'text' },
  { type: 'finish', ...ending },
]

const model: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'bench',
  supportedUrls: {},
  doGenerate: async () => ({ content: [{ type: 'text', text }], ...ending, warnings: [] }),
  async doStream() {
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    return { stream }
  },
}

/** A model that says the same at once. */
export const modelStub: UsableModel = { id: 'bench', label: 'Bench', ownedBy: 'bench', model }
