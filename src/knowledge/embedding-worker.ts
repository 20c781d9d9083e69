import { serveThread } from '../runtime/thread.ts'
import { loadModel } from './built-in-model/model.ts'
import { inEnglish } from './glossary/english.ts'

let model: ReturnType<typeof loadModel> | undefined

/** An empty text has no meaning to measure. */
const embeddable = (text: string) => text.trim() || '-'

/** One text after the other: padded to the longest of a batch, all would take as long as that one. */
function embed(texts: readonly string[]): number[][] {
  model ??= loadModel()
  const loaded = model
  return texts.flatMap((text) => loaded.embed([embeddable(inEnglish(text))]))
}

serveThread<readonly string[], number[][]>(async (texts) => embed(texts))
