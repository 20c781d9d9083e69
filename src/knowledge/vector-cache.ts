import type { FileVectors } from './vectors.ts'

/** About 300,000 vectors of 384 dimensions. */
const defaultBytes = 128 * 1024 * 1024

/** The vectors of the files searched last. A file's never change once it has them all, so that they stay valid. */
export interface VectorCache {
  /** The vectors of a file; `load` runs once for all who ask meanwhile. */
  of(fileId: number, load: () => Promise<FileVectors>): Promise<FileVectors>
  /** How many bytes are held. */
  readonly bytes: number
}

/** A cache of at most `maxBytes`, and of one file at least; the one used longest ago gives way. */
export function createVectorCache(maxBytes = defaultBytes): VectorCache {
  const files = new Map<number, FileVectors>()
  const loading = new Map<number, Promise<FileVectors>>()
  let bytes = 0

  const keep = (fileId: number, vectors: FileVectors) => {
    files.set(fileId, vectors)
    bytes += vectors.bytes
    for (const [oldest, held] of files) {
      if (bytes <= maxBytes || oldest === fileId) break
      files.delete(oldest)
      bytes -= held.bytes
    }
  }

  return {
    get bytes() {
      return bytes
    },
    of(fileId, load) {
      const known = files.get(fileId)
      if (known) {
        files.delete(fileId)
        files.set(fileId, known)
        return Promise.resolve(known)
      }
      const under = loading.get(fileId)
      if (under) return under
      const work = load()
        .then((vectors) => {
          keep(fileId, vectors)
          return vectors
        })
        .finally(() => loading.delete(fileId))
      loading.set(fileId, work)
      return work
    },
  }
}
