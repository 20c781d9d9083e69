import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import type { Files } from '../../src/storage/files.ts'
import { folderFiles } from '../../src/storage/folder.ts'
import { type ObjectStoreOptions, objectStoreFiles } from '../../src/storage/object-store.ts'
import { until } from '../support/listening.ts'
import { startObjectStore, startStalledStore } from './object-store-stub.ts'

const account = { bucket: 'files', accessKeyId: 'id', secretAccessKey: 'secret' }
/** Whose share the calls of these tests take. */
const call = { share: 1 }
const newStore = (options: Partial<ObjectStoreOptions> = {}) =>
  objectStoreFiles({
    endpoint: store.url,
    ...account,
    slots: createSlots({ total: 20 }),
    fetch: (...asked) => fetch(...asked),
    ...options,
  })
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (found: Uint8Array | undefined) => found && new TextDecoder().decode(found)

let folder: string
let store: ReturnType<typeof startObjectStore>
const kinds: Record<string, () => Files> = {
  'a folder': () => folderFiles(join(folder, 'files')),
  'an object store': () => newStore(),
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-files-'))
  store = startObjectStore(account)
})
afterAll(async () => {
  await store.stop()
  await rm(folder, { recursive: true, force: true })
})

const streamed = async (files: Files, key: string) => {
  const found = await files.stream(key, call)
  return found && { text: await new Response(found.body).text(), size: found.size }
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  const files = () => kinds[kind]?.() ?? folderFiles(folder)

  test('keeps a file until it is deleted', async () => {
    await files().put('pictures/a-1.png', bytes('first'), { ...call, type: 'image/png' })
    expect(text(await files().get('pictures/a-1.png', call))).toBe('first')
    expect(await streamed(files(), 'pictures/a-1.png')).toEqual({ text: 'first', size: 5 })

    await files().put('pictures/a-1.png', bytes('second, longer'), call)
    expect(text(await files().get('pictures/a-1.png', call))).toBe('second, longer')

    await files().delete('pictures/a-1.png', call)
    expect(await files().get('pictures/a-1.png', call)).toBeUndefined()
    expect(await files().stream('pictures/a-1.png', call)).toBeUndefined()
  })

  test('a file that is not there is undefined, and deleting it is no error', async () => {
    expect(await files().get('nothing.txt', call)).toBeUndefined()
    expect(await files().stream('nothing.txt', call)).toBeUndefined()
    await files().delete('nothing.txt', call)
  })

  test('an empty and a large file come back as they are', async () => {
    const large = new Uint8Array(3_000_000).map((_, index) => index % 251)
    await files().put('empty', new Uint8Array(), call)
    await files().put('large', large, call)
    expect(await files().get('empty', call)).toEqual(new Uint8Array())
    expect(Buffer.compare((await files().get('large', call)) ?? new Uint8Array(), large)).toBe(0)
    expect((await streamed(files(), 'large'))?.size).toBe(3_000_000)
  })

  test('a file on the disk is copied, under the type that was given', async () => {
    const content = new Uint8Array(20_000_000).map((_, index) => (index * 7) % 253)
    const place = join(folder, 'upload')
    await writeFile(place, content)
    await files().put('copy', new File([Bun.file(place)], 'a.txt', { type: 'text/html' }), {
      ...call,
      type: 'application/pdf',
    })
    await rm(place)
    expect(Buffer.compare((await files().get('copy', call)) ?? new Uint8Array(), content)).toBe(0)
    if (kind === 'an object store') expect(store.objects.get('copy')?.type).toBe('application/pdf')
  })

  test.each([
    '',
    '/etc/passwd',
    '../secrets-key',
    'a/../../secrets-key',
    'a/..',
    'a//b',
    'a/',
    '.hidden',
    'a/.hidden',
    'a\\b',
    'a\0b',
    'a b',
    '%2e%2e/a',
    'é',
    'x'.repeat(256),
  ])('%j is no key', async (key) => {
    const refused = 'This is not a key of a file'
    await expect((async () => files().put(key, bytes('x'), call))()).rejects.toThrow(refused)
    await expect((async () => files().get(key, call))()).rejects.toThrow(refused)
    await expect((async () => files().stream(key, call))()).rejects.toThrow(refused)
    await expect((async () => files().delete(key, call))()).rejects.toThrow(refused)
  })
})

/** What a folder of files shows, and what is unfinished in it. */
async function namesIn(place: string): Promise<[string[], string[]]> {
  const names = await readdir(place)
  return [names.filter((name) => name !== '.unfinished'), await readdir(join(place, '.unfinished'))]
}

test('in a folder, what a crash left of a file goes with it, and nothing else', async () => {
  const place = join(folder, 'crashed')
  const files = folderFiles(place)
  await files.put('knowledge/kept', bytes('kept'), call)
  for (const name of ['knowledge+one.half', 'knowledge+one2.half'])
    await writeFile(join(place, '.unfinished', name), 'x')
  await files.delete('knowledge/one', call)
  expect(await namesIn(place)).toEqual([['knowledge'], ['knowledge+one2.half']])
  expect(text(await files.get('knowledge/kept', call))).toBe('kept')
})

test('in a folder, files are for their owner only and nothing unfinished stays', async () => {
  const files = folderFiles(join(folder, 'modes'))
  await Promise.all(Array.from({ length: 20 }, (_, index) => files.put('same', bytes(`${index}`.repeat(1000)), call)))
  expect(await namesIn(join(folder, 'modes'))).toEqual([['same'], []])
  expect((await stat(join(folder, 'modes', 'same'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'modes'))).mode & 0o777).toBe(0o700)
  const kept = text(await files.get('same', call)) ?? ''
  expect(kept).toMatch(/^(\d+)\1{999}$/)
})

test('in a folder, a write that fails leaves what was there and nothing unfinished', async () => {
  const place = join(folder, 'failing')
  const files = folderFiles(place)
  await files.put('taken/inside', bytes('kept'), call)
  await expect(files.put('taken', bytes('x'), call)).rejects.toThrow()
  expect(await namesIn(place)).toEqual([['taken'], []])
  expect(text(await files.get('taken/inside', call))).toBe('kept')
  await writeFile(join(place, 'plain'), 'x')
  expect(await files.get('plain/inside', call)).toBeUndefined()
  expect(await files.get('taken', call)).toBeUndefined()
})

test('an object store gets the type of a file, and its errors are passed on', async () => {
  const files = newStore()
  await files.put('typed.png', bytes('x'), { ...call, type: 'image/png' })
  expect(store.objects.get('typed.png')?.type).toBe('image/png')
  const foreign = newStore({ accessKeyId: 'other' })
  await expect(foreign.put('a', bytes('x'), call)).rejects.toThrow('AccessDenied')
  await expect(foreign.get('a', call)).rejects.toThrow('AccessDenied')
  await expect(foreign.stream('typed.png', call)).rejects.toThrow()
  await expect(foreign.delete('a', call)).rejects.toThrow('AccessDenied')
})

describe('an object store that hangs', () => {
  const times = { responseMs: 150, transferMs: 150, downloadMs: 150 }
  const late = 'it did not answer in time'
  afterEach(() => store.recover())
  const hasRoom = (files: Files) => files.get('a', call).then(Boolean, () => false)

  test.each<[string, (files: Files) => Promise<unknown>]>([
    ['put', (files) => files.put('slow', bytes('x'), call)],
    ['get', (files) => files.get('slow', call)],
    ['stream', (files) => files.stream('slow', call)],
    ['delete', (files) => files.delete('slow', call)],
  ])('%s ends at its deadline, and its connection with it', async (_verb, work) => {
    store.hang()
    await expect(work(newStore({ times }))).rejects.toThrow(late)
    await until(() => store.state.hanging === 0)
  })

  test('a body that stops coming ends at its deadline, and its connection with it', async () => {
    const stalled = await startStalledStore()
    const files = newStore({ endpoint: stalled.url, times })
    await expect(files.get('half', call)).rejects.toThrow(late)
    const found = await files.stream('half', call)
    await expect(new Response(found?.body).text()).rejects.toThrow('The time of this transfer is over.')
    await until(() => stalled.open.size === 0)
    stalled.stop()
  })

  test('one share leaves room for the others, and a download keeps its place until it ends', async () => {
    const files = newStore({ slots: createSlots({ total: 4 }) })
    const other = { share: 2 }
    await files.put('a', bytes('content'), call)
    const busy = { code: 'too_many_requests', options: { headers: { 'retry-after': '5' } } }

    const first = await files.stream('a', call)
    await expect(files.get('a', call)).rejects.toMatchObject(busy)
    await expect(files.put('b', bytes('x'), call)).rejects.toMatchObject(busy)
    await expect(files.stream('a', call)).rejects.toMatchObject(busy)
    await expect(files.delete('a', call)).rejects.toMatchObject(busy)
    expect(text(await files.get('a', other))).toBe('content')
    expect(await new Response(first?.body).text()).toBe('content')
    await until(() => hasRoom(files))

    const left = await files.stream('a', call)
    await left?.body.cancel()
    await until(() => hasRoom(files))
  })

  test('a download that nobody reads gives its place back at its deadline', async () => {
    const files = newStore({ slots: createSlots({ total: 4 }), times })
    await files.put('a', bytes('content'), call)
    await files.stream('a', call)
    await until(() => hasRoom(files))
  })

  test('a failure that passes is asked again, a refusal is not', async () => {
    const files = newStore()
    store.failNext(2, 503, 'SlowDown')
    await files.put('again', bytes('x'), call)
    expect(text(await files.get('again', call))).toBe('x')
    store.failNext(1, 403, 'AccessDenied')
    await expect(files.get('again', call)).rejects.toThrow('AccessDenied')
  })

  test('an error tells neither the signed address nor the key', async () => {
    const nowhere = newStore({ endpoint: 'http://127.0.0.1:1' })
    const error: unknown = await nowhere.get('private-name', call).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ObjectStoreError', code: 'ECONNREFUSED' })
    expect(`${Bun.inspect(error)}${JSON.stringify(error)}`).not.toMatch(/X-Amz|private-name/)
  })
})
