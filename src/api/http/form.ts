import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyHeaders } from '@fastify/busboy'
import { ApiError } from '../errors/api-error.ts'
import { bounded, jsonLimit, tooLarge } from './body.ts'

/** The length of a whole form, files and all. */
export const formLimit = 25 * 1024 * 1024
const maxParts = 100
/** Of a part: a file's name and type. What is longer is cut, as reading it would hold up everybody. */
const maxHeaderBytes = 8 * 1024

/** A form as it was read. */
export interface Form {
  /** In the order in which they came; files lie on the disk and are read when somebody asks. */
  pairs: [name: string, value: string | File][]
  /** A hash of the names, values and files, whatever boundary stood between them. */
  fingerprint: string
  /** Takes the files away. */
  remove(): Promise<void>
}

/** A pair while its value may still be on its way to the disk. */
interface Part {
  name: string
  value: string | Promise<File>
  /** What the form's fingerprint is made of; complete once the value is there. */
  identity: unknown[]
}

/** A part is left out when it has no name. */
const isNamed = (name: string | undefined): name is string => name !== undefined

/** What went wrong on this machine is no fault of the form's. */
const isOurs = (error: unknown) => error instanceof ApiError || (error instanceof Error && 'syscall' in error)

const sha256 = () => new Bun.CryptoHasher('sha256')

/** Where a file of a form is written, and as what. */
interface Destination {
  path: string
  filename: string
  type: string
  /** Gets the hash of the bytes. */
  identity: unknown[]
}

/** Writes a file to the disk as it arrives. */
async function writeToDisk(stream: Readable, { path, filename, type, identity }: Destination): Promise<File> {
  const hasher = sha256()
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hasher.update(chunk)
        yield chunk
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  )
  identity.push(hasher.digest('hex'))
  // Bun keeps the place of the bytes here, not the bytes.
  return new File([Bun.file(path)], filename, { type })
}

/**
 * Reads a multipart form, its files straight to a folder of their own under the system's temporary one: memory holds
 * its texts and a piece of a file at a time. Whoever reads it calls `remove`.
 * Throws 400 when it is no form, 413 beyond `formLimit` and for a text beyond `jsonLimit`.
 */
export async function readForm(request: Request, contentType: string): Promise<Form> {
  if (!request.body) throw new ApiError('malformed_form')
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-form-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const parts: Part[] = []
  const streams: Readable[] = []
  const broken = new AbortController()
  let refused: ApiError | undefined
  try {
    const { default: Busboy } = await import('@fastify/busboy')
    const parser = new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      preservePath: true,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      limits: { fieldSize: jsonLimit, parts: maxParts, headerSize: maxHeaderBytes },
    })
    parser.on('partsLimit', () => {
      refused = new ApiError('malformed_form')
    })
    parser.on('field', (name, value, _nameTruncated, truncated) => {
      if (truncated) refused = tooLarge(jsonLimit)
      if (isNamed(name)) parts.push({ name, value, identity: [name, value] })
    })
    parser.on('file', (name, stream, sentAs, _encoding, type) => {
      if (!isNamed(name)) return stream.resume()
      const filename = sentAs.toWellFormed()
      const identity: unknown[] = [name, filename, type]
      const path = join(folder, String(parts.length))
      const value = writeToDisk(stream, { path, filename, type, identity })
      // The parser would wait for it for ever.
      value.catch((error: unknown) => broken.abort(error))
      streams.push(stream)
      parts.push({ name, value, identity })
    })
    await pipeline(bounded(request.body, formLimit), parser, { signal: broken.signal })
    const pairs: Form['pairs'] = []
    for (const { name, value } of parts) pairs.push([name, await value])
    if (refused) throw refused
    const fingerprint = sha256()
      .update(JSON.stringify(parts.map(({ identity }) => identity)))
      .digest('hex')
    return { pairs, fingerprint, remove }
  } catch (error) {
    for (const stream of streams) stream.destroy()
    await Promise.allSettled(parts.map(({ value }) => value))
    await remove()
    const cause = error instanceof Error && error.name === 'AbortError' ? broken.signal.reason : error
    throw isOurs(cause) ? cause : new ApiError('malformed_form')
  }
}
