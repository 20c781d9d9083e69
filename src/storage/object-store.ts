import { checkKey, type Files } from './files.ts'

/** The answer of the store, or undefined when it has no such object. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NoSuchKey') return undefined
    throw error
  }
}

/** Files in an object store that speaks S3 (contract: server 10). */
export function objectStoreFiles(options: {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}): Files {
  const client = new Bun.S3Client(options)
  const fileOf = (key: string) => {
    checkKey(key)
    return client.file(key)
  }

  return {
    async put(key, content, { type = 'application/octet-stream' } = {}) {
      await fileOf(key).write(content, { type })
    },

    async get(key) {
      return unlessMissing(fileOf(key).bytes())
    },

    async stream(key) {
      const file = fileOf(key)
      // The stream itself tells of a missing file only while it is read, when an answer has begun.
      const found = await unlessMissing(file.stat())
      return found && { body: file.stream(), size: found.size }
    },

    async delete(key) {
      await fileOf(key).delete()
    },
  }
}
