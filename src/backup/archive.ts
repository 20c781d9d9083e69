import { createTarDecoder, createTarPacker } from 'modern-tar'
import { BackupError, type Entry } from './format.ts'

/** What is unpacked by hand is for its owner alone, too. */
const mode = 0o600

/** The types of the platform have one for any bytes. */
const gunzip = () => new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>

/**
 * An archive of the entries, as a stream: nothing is asked for before it is read, and whoever cancels it has the
 * entries end first. Fails with what the entries throw.
 */
export function packArchive(entries: AsyncIterable<Entry>): ReadableStream<Uint8Array> {
  const { readable, controller: packer } = createTarPacker()
  const pack = async () => {
    for await (const { name, size, body } of entries) {
      const target = packer.add({ name, size, mode })
      if (body instanceof Uint8Array) {
        const writer = target.getWriter()
        await writer.write(body)
        await writer.close()
      } else {
        await body.pipeTo(target)
      }
    }
    packer.finalize()
  }
  const reader = readable.pipeThrough<Uint8Array>(new CompressionStream('gzip')).getReader()
  let packed: Promise<void> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        packed ??= pack().catch((error: unknown) => packer.error(error))
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel(reason) {
        // What waits for room in the archive goes on only when it fails.
        packer.error(reason ?? new Error('Nobody reads the archive.'))
        await reader.cancel(reason).catch(() => {})
        await packed
      },
    },
    { highWaterMark: 0 },
  )
}

/** The entries of an archive. Throws BackupError for one that is broken or was cut off. */
export async function* unpackArchive(archive: ReadableStream<Uint8Array>): AsyncGenerator<Entry> {
  const entries = archive.pipeThrough(gunzip()).pipeThrough(createTarDecoder({ strict: true }))
  const reader = entries.getReader()
  const read = () =>
    reader.read().catch((cause: unknown) => {
      throw new BackupError('The archive is broken, or was cut off.', { cause })
    })
  try {
    for (let next = await read(); !next.done; next = await read()) {
      const { header, body } = next.value
      yield { name: header.name, size: header.size, body }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
