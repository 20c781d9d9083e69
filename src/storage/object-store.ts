import { boundedResponse } from '../outgoing/bounded-body.ts'
import { createDeadline, type Deadline } from '../runtime/deadline.ts'
import { sleep } from '../runtime/sleep.ts'
import type { Slots } from '../runtime/slots.ts'
import { unheldTimers } from '../runtime/timers.ts'
import { checkKey, type FileCall, type FileShare, type Files } from './files.ts'
import { watchedBody } from './watched-body.ts'

/** Milliseconds that calls of the store may take. */
export interface ObjectStoreTimes {
  /** Until a delete is done, or the content of a file begins to come. */
  responseMs: number
  /** A whole file to the store, or from it into memory. */
  transferMs: number
  /** A whole file to whoever downloads it. */
  downloadMs: number
}

const defaultTimes: ObjectStoreTimes = { responseMs: 20_000, transferMs: 60_000, downloadMs: 300_000 }

export interface ObjectStoreOptions {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  fetch: (url: string, init: RequestInit & { decompress?: boolean }) => Promise<Response>
  /** Calls that may be under way at once; a download holds its place until it ends. */
  slots: Slots
  times?: Partial<ObjectStoreTimes>
}

/** The store failed, refused or was late. Neither the address of the call, which is signed, nor the key is in it. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError'

  constructor(
    readonly code: string,
    /** Whether the same call may succeed a little later. */
    readonly passing = false,
  ) {
    super(`The object store failed: ${code}`)
  }
}

interface Call {
  method: 'GET' | 'PUT' | 'DELETE'
  key: string
  body?: Uint8Array<ArrayBuffer> | Blob
  type?: string
}

const maxRefusalBytes = 64 * 1024
/** More than any upload. */
const maxFileBytes = 32 * 1024 * 1024
/** Every call may be made again: a file is put whole, and always as the same. */
const maxTries = 3
const pauseMs = 200
/** A signed address outlives its call by as much as the clocks of both sides may differ. */
const clockDifferenceSeconds = 60

const refusalCode = (xml: string) => /<Code>(\w{1,64})<\/Code>/.exec(xml)?.[1]

/** What was thrown without what it knows of the call, whose address is signed. */
function storeError(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'the connection was lost'
  return new ObjectStoreError(code, true)
}

/**
 * Files in an object store that speaks S3 (contract: server 10). Every call has a deadline that ends its connection,
 * and a place among the calls of its share.
 */
export function objectStoreFiles({ fetch, slots, times, ...account }: ObjectStoreOptions): Files {
  const { responseMs, transferMs, downloadMs } = { ...defaultTimes, ...times }
  const client = new Bun.S3Client(account)
  const expiresIn = Math.ceil(Math.max(responseMs, transferMs) / 1000) + clockDifferenceSeconds

  const exchange = async ({ method, key, body, type }: Call, signal: AbortSignal): Promise<Response | undefined> => {
    const headers = { 'accept-encoding': 'identity', ...(type && { 'content-type': type }) }
    const address = client.presign(key, { method, expiresIn })
    const response = await fetch(address, { method, headers, body, signal, redirect: 'manual', decompress: false })
    if (response.ok) return response
    const said = await (await boundedResponse(response, maxRefusalBytes, signal)).text()
    const code = refusalCode(said) ?? `status ${response.status}`
    if (code === 'NoSuchKey') return undefined
    throw new ObjectStoreError(code, response.status >= 500)
  }

  /** The store's response, or undefined when it has no such object; asks again where it may pass. */
  const ask = async (call: Call, { signal }: Deadline): Promise<Response | undefined> => {
    for (let tries = 1; ; tries++) {
      try {
        return await exchange(call, signal)
      } catch (error) {
        const failure = signal.aborted ? new ObjectStoreError('it did not answer in time') : storeError(error)
        if (!failure.passing || tries >= maxTries) throw failure
        await sleep(pauseMs * tries, signal)
      }
    }
  }

  /** Runs a call in a place of its share, within its time. Throws 429 when there is no place, else ObjectStoreError. */
  const within = <T>(share: FileShare, ms: number, work: (deadline: Deadline) => Promise<T>): Promise<T> =>
    slots.run(share, async () => {
      const deadline = createDeadline(ms, { timers: unheldTimers })
      try {
        return await work(deadline)
      } catch (error) {
        throw deadline.signal.aborted ? new ObjectStoreError('it did not answer in time') : storeError(error)
      } finally {
        deadline.end()
      }
    })

  return {
    // Until its address has run out, the store may take a file whose caller does not wait any more.
    lateMs: expiresIn * 1000,

    async put(key, body, { share, type = 'application/octet-stream' }) {
      checkKey(key)
      await within(share, transferMs, async (deadline) => {
        if (!(await ask({ method: 'PUT', key, body, type }, deadline))) throw new ObjectStoreError('NoSuchKey')
      })
    },

    async get(key, { share }) {
      checkKey(key)
      return within(share, transferMs, async (deadline) => {
        const found = await ask({ method: 'GET', key }, deadline)
        if (!found) return undefined
        const whole = await boundedResponse(found, maxFileBytes, deadline.signal)
        return new Uint8Array(await whole.arrayBuffer())
      })
    },

    async stream(key, { share }: FileCall) {
      checkKey(key)
      type Found = Awaited<ReturnType<Files['stream']>>
      const { promise, resolve, reject } = Promise.withResolvers<Found>()
      const download = async (deadline: Deadline) => {
        const found = await ask({ method: 'GET', key }, deadline)
        if (!found) return resolve(undefined)
        const size = Number(found.headers.get('content-length') ?? Number.NaN)
        if (!found.body || !Number.isSafeInteger(size)) throw new ObjectStoreError('it did not say the size of a file')
        deadline.restart(downloadMs)
        const { body, ended } = watchedBody(found.body, deadline.signal)
        resolve({ body, size })
        await ended
      }
      within(share, responseMs, download).catch(reject)
      return promise
    },

    async delete(key, { share }) {
      checkKey(key)
      await within(share, responseMs, async (deadline) => {
        await ask({ method: 'DELETE', key }, deadline)
      })
    },
  }
}
