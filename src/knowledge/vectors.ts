const scaleBytes = 4
const largest = 127

/**
 * A unit vector in a quarter of its size: a 32-bit scale, then a signed byte for each dimension. What it costs in
 * precision is far below what tells passages apart.
 */
export function packVector(vector: Float32Array): Uint8Array {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1
  const bytes = new Uint8Array(scaleBytes + vector.length)
  new DataView(bytes.buffer).setFloat32(0, most / largest, true)
  vector.forEach((value, index) => {
    bytes[scaleBytes + index] = Math.round((value / most) * largest)
  })
  return bytes
}

/** Vectors of the passages of one file, outside the heap of the runtime. */
export interface FileVectors {
  ids: Int32Array
  scales: Float32Array
  /** Of all passages, one after the other. */
  values: Int8Array
  dimensions: number
  bytes: number
}

/** Packed vectors as a search reads them; those of another size than the first are left out. */
export function fileVectors(rows: readonly { id: number; vector: Uint8Array }[]): FileVectors {
  const length = rows[0]?.vector.length ?? scaleBytes
  const fitting = rows.filter(({ vector }) => vector.length === length)
  const dimensions = length - scaleBytes
  const ids = new Int32Array(fitting.length)
  const scales = new Float32Array(fitting.length)
  const values = new Int8Array(fitting.length * dimensions)
  for (const [index, { id, vector }] of fitting.entries()) {
    ids[index] = id
    scales[index] = new DataView(vector.buffer, vector.byteOffset).getFloat32(0, true)
    values.set(new Int8Array(vector.buffer, vector.byteOffset + scaleBytes, dimensions), index * dimensions)
  }
  return { ids, scales, values, dimensions, bytes: ids.byteLength + scales.byteLength + values.byteLength }
}

/** How near the passages from `from` on, `to` excluded, are to each query: the greatest cosine of any. */
export function nearness(
  { scales, values, dimensions }: FileVectors,
  queries: readonly Float32Array[],
  [from, to]: readonly [number, number],
): Float32Array {
  const best = new Float32Array(to - from).fill(-1)
  for (const query of queries) {
    if (query.length !== dimensions) continue
    for (let index = from; index < to; index++) {
      const start = index * dimensions
      let sum = 0
      for (let at = 0; at < dimensions; at++) sum += (values[start + at] ?? 0) * (query[at] ?? 0)
      const cosine = sum * (scales[index] ?? 0)
      if (cosine > (best[index - from] ?? -1)) best[index - from] = cosine
    }
  }
  return best
}

/** How near two passages are to each other; 0 where their vectors have different sizes. */
export function likeness(
  one: { vectors: FileVectors; index: number },
  other: { vectors: FileVectors; index: number },
): number {
  const { values, dimensions } = one.vectors
  if (other.vectors.dimensions !== dimensions) return 0
  const start = one.index * dimensions
  const otherStart = other.index * dimensions
  let sum = 0
  for (let at = 0; at < dimensions; at++) {
    sum += (values[start + at] ?? 0) * (other.vectors.values[otherStart + at] ?? 0)
  }
  return sum * (one.vectors.scales[one.index] ?? 0) * (other.vectors.scales[other.index] ?? 0)
}
