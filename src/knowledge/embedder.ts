/** Whom vectors are made for, and how urgent they are. */
export interface EmbeddingOrder {
  workspaceId: number
  /** Somebody waits for a question; passages are made in the background. */
  kind: 'question' | 'passages'
  /** It belongs to a turn, and is charged with it. */
  isOfTurn?: boolean
  signal?: AbortSignal
}

/** The embedder that comes with the server. */
export const embeddedEmbedderId = 'all-minilm-l6-v2-tuned-3'

/** Turns texts into vectors whose angle says how near their meanings are. */
export interface Embedder {
  /** Vectors of two embedders are never compared. */
  readonly id: string
  /** Under which name the operator sets its price; none for the one that comes with the server. */
  readonly model?: string
  /** Cosines of a question and a text: below `least` they have nothing in common, from `most` on they say the same. */
  readonly related?: { least: number; most: number }
  /** How many requests it works on at a time; one unless given. */
  readonly concurrency?: number
  /** Unit vectors, one per text, in order. Throws when the model cannot be reached. */
  embed(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>
  close(): void
}

/** An embedder that serves every workspace its share. */
export interface SharedEmbedder {
  readonly id: string
  readonly related?: Embedder['related']
  /** Like `embed`, in its turn. Throws EmbedderBusyError when too much of the workspace's waits already. */
  embed(texts: readonly string[], order: EmbeddingOrder): Promise<Float32Array[]>
  close(): void
}

/** A vector of length one, so that a dot product is the cosine. */
export function unit(vector: ArrayLike<number>): Float32Array {
  const result = Float32Array.from(vector)
  let sum = 0
  for (const value of result) sum += value * value
  const length = Math.sqrt(sum) || 1
  for (let index = 0; index < result.length; index++) result[index] = (result[index] ?? 0) / length
  return result
}

/** How near the meanings of two unit vectors are: 1 is the same. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}
