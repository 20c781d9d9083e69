import type { S3Client } from 'bun'
import { unlessLate } from '../../runtime/deadline.ts'
import type { Timers } from '../../runtime/timers.ts'
import { BackupError } from '../format.ts'
import { isArchiveName, type Place } from './place.ts'

/** Parts of an upload; at most ten thousand of them make an object. */
const partBytes = 16 * 1024 * 1024

/**
 * Archives in a bucket, under a prefix that ends with a slash or is empty. They are sent in parts, and are there only
 * once they are whole. Parts of an upload that failed stay in the store until a rule of its own drops them.
 * @param ms how long one step of a transfer may take
 */
export function bucketPlace({ client, label, prefix, ms, timers }: BucketOptions): Place {
  const keyOf = (name: string) => `${prefix}${name}`
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    unlessLate(work, ms, () => new BackupError('The object store did not respond in time.'), timers)
  /** The same bytes; each piece of them has so long to come. */
  const inSteps = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
    const reader = body.getReader()
    const cancel = () => reader.cancel().catch(() => {})
    return new ReadableStream(
      {
        async pull(controller) {
          try {
            const { done, value } = await inTime(reader.read())
            if (done) controller.close()
            else controller.enqueue(value)
          } catch (error) {
            cancel()
            throw error
          }
        },
        cancel,
      },
      { highWaterMark: 0 },
    )
  }
  return {
    label: (name) => `${label}${name}`,

    async write(name, archive) {
      const writer = client.file(keyOf(name)).writer({ partSize: partBytes, queueSize: 1, retry: 3 })
      let size = 0
      let unsent = 0
      // What fails is not ended, because the end of an upload is what makes the object.
      for await (const chunk of archive) {
        writer.write(chunk)
        size += chunk.length
        unsent += chunk.length
        if (unsent < partBytes) continue
        await inTime(Promise.resolve(writer.flush()))
        unsent = 0
      }
      await inTime(Promise.resolve(writer.end()))
      return size
    },

    async read(name) {
      const file = client.file(keyOf(name))
      if (!(await inTime(file.exists()))) throw new BackupError(`There is no archive ${label}${name}.`)
      return inSteps(file.stream())
    },

    async list() {
      const names: string[] = []
      for (let startAfter: string | undefined; ; ) {
        const page = await inTime(client.list({ prefix, startAfter }))
        const keys = (page.contents ?? []).map(({ key }) => key)
        names.push(...keys.map((key) => key.slice(prefix.length)))
        if (!page.isTruncated || keys.length === 0) break
        startAfter = keys.at(-1)
      }
      return names.filter(isArchiveName).sort()
    },

    delete: (name) => inTime(client.delete(keyOf(name))),
  }
}

interface BucketOptions {
  client: S3Client
  label: string
  prefix: string
  ms: number
  /** This process's unless given. */
  timers?: Pick<Timers, 'after'>
}
