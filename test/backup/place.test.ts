import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Client } from 'bun'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archiveAt, placeFor } from '../../src/app/backup/place.ts'
import { packArchive } from '../../src/backup/archive.ts'
import { bucketPlace } from '../../src/backup/place/bucket.ts'
import { archiveName, keepNewest, type Place } from '../../src/backup/place/place.ts'
import { startBucket } from './bucket-stub.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-places-'))
const outsideTimes = { objectStoreMs: 20_000, carrierMs: 1, embeddingsMs: 1 }
let bucket: ReturnType<typeof startBucket>

beforeAll(() => {
  bucket = startBucket('archives')
})
afterAll(async () => {
  await bucket.stop()
  rmSync(folder, { recursive: true })
})

const placeAt = (to: string) => placeFor(to, { objectStore: undefined, outsideTimes })
const aFile = () => {
  const path = join(folder, 'a-file')
  writeFileSync(path, '')
  return path
}
const streamOf = (...chunks: Uint8Array[]) => new Blob(chunks as BlobPart[]).stream()
const broken = () => {
  const chunks = [new Uint8Array(20_000_000)]
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.pop()
      if (chunk) controller.enqueue(chunk)
      else controller.error(new Error('The database went away'))
    },
  })
}

describe.each(['folder', 's3'])('%s', (kind) => {
  const to = kind === 'folder' ? join(folder, 'new/archives') : 's3://archives/of/here'
  const env = () => ({
    outsideTimes,
    objectStore: { endpoint: bucket.url, bucket: 'files', accessKeyId: 'id', secretAccessKey: 'secret' },
  })

  test('keeps archives whole, and the newest of them', async () => {
    const place = placeFor(to, env())
    expect(await place.list()).toEqual([])
    const names = [1, 2, 3, 4].map((day) => archiveName(new Date(Date.UTC(2026, 0, day))))
    const large = new Uint8Array(40_000_000).map((_, index) => index % 251)
    expect(await place.write(names[3] ?? '', streamOf(large))).toBe(large.length)
    for (const name of names.slice(0, 3)) await place.write(name, streamOf(new Uint8Array([1, 2])))
    expect(await place.list()).toEqual(names)

    await expect(place.write(archiveName(new Date(0)), broken())).rejects.toThrow('The database went away')
    expect(await place.list()).toEqual(names)

    expect(await keepNewest(place, 2)).toEqual(names.slice(0, 2))
    expect(await place.list()).toEqual(names.slice(2))

    const kept = archiveAt(`${to}/${names[3]}`, env())
    const read = await new Response(await kept.place.read(kept.name)).bytes()
    expect(Buffer.compare(read, large)).toBe(0)
    await expect(place.read('none.tar.gz')).rejects.toThrow(`There is no archive ${to}/none.tar.gz.`)
  })
})

test('archives in a folder are for their owner alone, and nothing unfinished is left', () => {
  const entries = readdirSync(join(folder, 'new/archives'))
  expect(entries).toHaveLength(2)
  for (const name of entries) expect(statSync(join(folder, 'new/archives', name)).mode & 0o077).toBe(0)
})

test('what somebody else left in a folder is neither written to nor removed', async () => {
  const open = join(folder, 'open')
  mkdirSync(open)
  const name = archiveName(new Date(Date.UTC(2026, 0, 9)))
  const theirs = [`.${name}.unfinished`, 'notes.unfinished'].map((one) => join(open, one))
  for (const place of theirs) {
    writeFileSync(place, 'theirs', { mode: 0o666 })
    utimesSync(place, 0, 0)
  }
  await placeFor(open, { objectStore: undefined, outsideTimes }).write(name, streamOf(new Uint8Array([1, 2])))
  expect(theirs.map((place) => readFileSync(place, 'utf8'))).toEqual(['theirs', 'theirs'])
  expect(statSync(join(open, name)).mode & 0o077).toBe(0)
})

/** A store that takes the first bytes of an upload and no more. */
const fullBucket = {
  file: () => ({
    writer: () => ({
      write: () => {},
      flush: () => Promise.reject(new Error('The store is full')),
      end: () => Promise.resolve(),
    }),
  }),
} as unknown as S3Client

test.each<[what: string, place: () => Place, message: string]>([
  ['a folder that cannot be made', () => placeAt('/proc/nope'), 'No archive can be kept in /proc/nope (ENOENT: '],
  ['a file in place of the folder', () => placeAt(aFile()), 'No archive can be kept in '],
  [
    'a store that is full',
    () => bucketPlace({ client: fullBucket, label: 's3://archives/', prefix: '', ms: 20_000 }),
    'The store is full',
  ],
])('%s ends the archive, and says why', async (_what, place, message) => {
  let open = 0
  async function* entries() {
    open++
    try {
      // No two bytes alike for long: what is packed stays as large as it is.
      for (let part = 0; part < 400; part++) {
        const body = crypto.getRandomValues(new Uint8Array(65_536))
        yield { name: `rows/${part}`, size: body.length, body }
      }
    } finally {
      open--
    }
  }
  await expect(place().write(archiveName(new Date(0)), packArchive(entries()))).rejects.toThrow(message)
  expect(open).toBe(0)
})

test('a place in an object store needs one', () => {
  expect(() => placeFor('s3://archives', { outsideTimes, objectStore: undefined })).toThrow(
    'A place in an object store needs S3_ENDPOINT and its keys.',
  )
})

test('a bucket that stops in the middle of an archive is not waited for', async () => {
  const waiting = new Set<() => void>()
  const timers = {
    after(_ms: number, run: () => void) {
      waiting.add(run)
      return () => waiting.delete(run)
    },
  }
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array([1, 2])),
    cancel: () => {
      isCancelled = true
    },
  })
  const client = { file: () => ({ exists: async () => true, stream: () => body }) } as unknown as S3Client
  const place = bucketPlace({ client, label: 's3://archives/', prefix: '', ms: 1, timers })
  const reader = (await place.read('one.tar.gz')).getReader()
  expect((await reader.read()).value).toEqual(new Uint8Array([1, 2]))
  const late = reader.read()
  await expect.poll(() => waiting.size).toBe(1)
  for (const end of waiting) end()
  await expect(late).rejects.toThrow('The object store did not respond in time.')
  expect([isCancelled, waiting.size]).toEqual([true, 0])
})
