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

/**
 * The products of a query and passages, one passage after the other in `values`, put into `sums`: four
 * passages at a time, whose sums do not wait for each other.
 */
function products(values: Int8Array, first: number, query: Float32Array, sums: Float32Array): void {
  const size = query.length
  const whole = sums.length & ~3
  for (let index = 0; index < whole; index += 4) {
    const one = (first + index) * size
    const two = one + size
    const three = two + size
    const four = three + size
    let sumOne = 0
    let sumTwo = 0
    let sumThree = 0
    let sumFour = 0
    for (let at = 0; at < size; at++) {
      const value = query[at] ?? 0
      sumOne += (values[one + at] ?? 0) * value
      sumTwo += (values[two + at] ?? 0) * value
      sumThree += (values[three + at] ?? 0) * value
      sumFour += (values[four + at] ?? 0) * value
    }
    sums[index] = sumOne
    sums[index + 1] = sumTwo
    sums[index + 2] = sumThree
    sums[index + 3] = sumFour
  }
  for (let index = whole; index < sums.length; index++) {
    const start = (first + index) * size
    let sum = 0
    for (let at = 0; at < size; at++) sum += (values[start + at] ?? 0) * (query[at] ?? 0)
    sums[index] = sum
  }
}

/** How near the passages from `from` on, `to` excluded, are to each query: the greatest cosine of any. */
export function nearness(
  { scales, values, dimensions }: FileVectors,
  queries: readonly Float32Array[],
  [from, to]: readonly [number, number],
): Float32Array {
  const best = new Float32Array(to - from).fill(-1)
  const sums = new Float32Array(to - from)
  for (const query of queries) {
    if (query.length !== dimensions) continue
    products(values, from, query, sums)
    for (let index = 0; index < sums.length; index++) {
      const cosine = (sums[index] ?? 0) * (scales[from + index] ?? 0)
      if (cosine > (best[index] ?? -1)) best[index] = cosine
    }
  }
  return best
}

/** Where the vector of a passage is. */
export interface VectorPlace {
  vectors: FileVectors
  index: number
}

/** The vectors of some passages together, as those of one file; those of another size than the first have no length. */
function gathered(places: readonly VectorPlace[]): FileVectors {
  const dimensions = places[0]?.vectors.dimensions ?? 0
  const values = new Int8Array(places.length * dimensions)
  const scales = new Float32Array(places.length)
  for (const [at, { vectors, index }] of places.entries()) {
    if (vectors.dimensions !== dimensions) continue
    values.set(vectors.values.subarray(index * dimensions, (index + 1) * dimensions), at * dimensions)
    scales[at] = vectors.scales[index] ?? 0
  }
  const bytes = values.byteLength + scales.byteLength
  return { ids: new Int32Array(places.length), scales, values, dimensions, bytes }
}

/** How near each of some passages is to each of them, in their order. */
export function likenesses(places: readonly VectorPlace[]): Float32Array[] {
  const together = gathered(places)
  const { values, scales, dimensions } = together
  return places.map((_, at) => {
    const own = Float32Array.from(values.subarray(at * dimensions, (at + 1) * dimensions))
    const scale = scales[at] ?? 0
    return nearness(together, [own.map((value) => value * scale)], [0, places.length])
  })
}

/** Where a passage's vector is in its file, or -1; a file's ids ascend. */
export function indexOfId({ ids }: FileVectors, id: number): number {
  let [least, most] = [0, ids.length - 1]
  while (least <= most) {
    const middle = (least + most) >> 1
    const found = ids[middle] ?? 0
    if (found === id) return middle
    if (found < id) least = middle + 1
    else most = middle - 1
  }
  return -1
}
