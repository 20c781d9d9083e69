import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { matricesIn, readTensors } from '../../src/knowledge/built-in-model/tensors.ts'
import { tune } from '../../src/knowledge/built-in-model/tune.ts'

const folder = await mkdtemp(join(tmpdir(), 'switchboard-tuning-'))
afterAll(() => rm(folder, { recursive: true }))

type Rows = readonly (readonly number[])[]

/** A file of matrices, whose header is as long as the padding makes it. */
async function fileOf(name: string, matrices: Record<string, Rows>, padding = ''): Promise<string> {
  const header: Record<string, object> = {}
  const values: number[] = []
  for (const [key, rows] of Object.entries(matrices)) {
    const start = values.length * 2
    values.push(...rows.flat())
    header[key] = { dtype: 'F16', shape: [rows.length, rows[0]?.length], data_offsets: [start, values.length * 2] }
  }
  const text = new TextEncoder().encode(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }) + padding)
  const length = new DataView(new ArrayBuffer(8))
  length.setBigUint64(0, BigInt(text.length), true)
  const path = join(folder, name)
  await Bun.write(path, new Blob([length.buffer, text, new Float16Array(values).buffer]))
  return path
}

const model = { 'a.weight': [[1, 2, 3], [4, 5, 6]], 'b.weight': [[1, 1]] } // biome-ignore format: rows of a matrix

test.each(['', ' ', '  '])(
  'a tuning adds the product of two thin matrices to a large one, in its bytes (header + "%s")',
  async (padding) => {
    const weights = readTensors(await fileOf('weights', model, padding))
    const tuning = { 'a.weight.up': [[1], [2]], 'a.weight.down': [[0.5, 0, -1]] }
    tune(weights, readTensors(await fileOf('tuning', tuning)))
    const changed = matricesIn(weights)
    expect([...(changed.get('a.weight')?.values ?? [])]).toEqual([1.5, 2, 2, 5, 5, 4])
    expect([...(changed.get('b.weight')?.values ?? [])]).toEqual([1, 1])
  },
)

test.each([
  ['a matrix that the model does not have', { 'c.weight.up': [[1]], 'c.weight.down': [[1, 1]] }, 'names c.weight'],
  ['one half alone', { 'b.weight.up': [[1]] }, 'names b.weight'],
  ['another size', { 'a.weight.up': [[1]], 'a.weight.down': [[1, 1, 1]] }, 'does not fit'],
])('a tuning of %s is refused', async (_, tuning, problem) => {
  const weights = readTensors(await fileOf('weights', model))
  const changes = readTensors(await fileOf('tuning', tuning))
  expect(() => tune(weights, changes)).toThrow(problem)
})

test('a file that is cut off is refused', async () => {
  const path = await fileOf('weights', model)
  const length = new DataView(new ArrayBuffer(8))
  length.setBigUint64(0, 1_000n, true)
  await Bun.write(path, length.buffer)
  expect(() => matricesIn(readTensors(path))).toThrow()
})
