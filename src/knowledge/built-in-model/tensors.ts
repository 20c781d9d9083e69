import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A matrix of a file, which writes through to the file's bytes. */
export interface Matrix {
  rows: number
  columns: number
  /** Row by row. */
  values: Float16Array
}

interface Described {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

const lengthBytes = 8

/** The bytes of a file of the safetensors format, with its values at even places of memory. */
export function readTensors(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const length = new DataView(new ArrayBuffer(lengthBytes))
    readSync(file, length, 0, lengthBytes, 0)
    const shift = Number(length.getBigUint64(0, true) % 2n)
    const bytes = new Uint8Array(size + shift).subarray(shift)
    if (readSync(file, bytes, 0, size, 0) !== size) throw new Error(`${path} could not be read whole`)
    return bytes
  } finally {
    closeSync(file)
  }
}

/** The matrices of half precision in such bytes, by their names. */
export function matricesIn(bytes: Uint8Array): Map<string, Matrix> {
  const start = lengthBytes + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  const header: Record<string, Described> = JSON.parse(new TextDecoder().decode(bytes.subarray(lengthBytes, start)))
  const matrices = new Map<string, Matrix>()
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
    const [rows, columns, more] = shape ?? []
    if (dtype !== 'F16' || rows === undefined || columns === undefined || more !== undefined) continue
    const at = bytes.byteOffset + start + data_offsets[0]
    matrices.set(name, { rows, columns, values: new Float16Array(bytes.buffer, at, rows * columns) })
  }
  return matrices
}
