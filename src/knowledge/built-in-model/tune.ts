import { type Matrix, matricesIn } from './tensors.ts'

/** Adds the product of two thin matrices, `up` and `down`, to a large one, in its place. */
function addProduct({ rows, columns, values }: Matrix, up: Matrix, down: Matrix): void {
  if (up.rows !== rows || down.columns !== columns || up.columns !== down.rows) {
    throw new Error('The tuning does not fit the model')
  }
  const factors = Float32Array.from(up.values)
  const parts = Float32Array.from(down.values)
  const rank = up.columns
  for (let row = 0; row < rows; row++) {
    const sums = Float32Array.from(values.subarray(row * columns, (row + 1) * columns))
    for (let part = 0; part < rank; part++) {
      const factor = factors[row * rank + part] ?? 0
      const from = part * columns
      for (let column = 0; column < columns; column++)
        sums[column] = (sums[column] ?? 0) + factor * (parts[from + column] ?? 0)
    }
    values.set(sums, row * columns)
  }
}

/**
 * Changes a model's weights, in their place, by what training found (record 49): for each of its matrices that was
 * trained, the file of the tuning holds two thin ones, whose product is added. Throws where they do not fit each other.
 */
export function tune(weights: Uint8Array, tuning: Uint8Array): void {
  const model = matricesIn(weights)
  const parts = matricesIn(tuning)
  for (const [name, up] of parts) {
    if (!name.endsWith('.up')) continue
    const matrix = name.slice(0, -'.up'.length)
    const [target, down] = [model.get(matrix), parts.get(`${matrix}.down`)]
    if (!target || !down) throw new Error(`The tuning names ${matrix}, which the model does not have`)
    addProduct(target, up, down)
  }
}
