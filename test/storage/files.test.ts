import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Files } from '../../src/storage/files.ts'
import { folderFiles } from '../../src/storage/folder.ts'
import { objectStoreFiles } from '../../src/storage/object-store.ts'
import { startObjectStore } from './object-store-stub.ts'

const account = { bucket: 'files', accessKeyId: 'id', secretAccessKey: 'secret' }
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (found: Uint8Array | undefined) => found && new TextDecoder().decode(found)

let folder: string
let store: ReturnType<typeof startObjectStore>
const kinds: Record<string, () => Files> = {
  'a folder': () => folderFiles(join(folder, 'files')),
  'an object store': () => objectStoreFiles({ endpoint: store.url, ...account }),
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
  const found = await files.stream(key)
  return found && { text: await new Response(found.body).text(), size: found.size }
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  const files = () => kinds[kind]?.() ?? folderFiles(folder)

  test('keeps a file until it is deleted', async () => {
    await files().put('pictures/a-1.png', bytes('first'), { type: 'image/png' })
    expect(text(await files().get('pictures/a-1.png'))).toBe('first')
    expect(await streamed(files(), 'pictures/a-1.png')).toEqual({ text: 'first', size: 5 })

    await files().put('pictures/a-1.png', bytes('second, longer'))
    expect(text(await files().get('pictures/a-1.png'))).toBe('second, longer')

    await files().delete('pictures/a-1.png')
    expect(await files().get('pictures/a-1.png')).toBeUndefined()
    expect(await files().stream('pictures/a-1.png')).toBeUndefined()
  })

  test('a file that is not there is undefined, and deleting it is no error', async () => {
    expect(await files().get('nothing.txt')).toBeUndefined()
    expect(await files().stream('nothing.txt')).toBeUndefined()
    await files().delete('nothing.txt')
  })

  test('an empty and a large file come back as they are', async () => {
    const large = new Uint8Array(3_000_000).map((_, index) => index % 251)
    await files().put('empty', new Uint8Array())
    await files().put('large', large)
    expect(await files().get('empty')).toEqual(new Uint8Array())
    expect(Buffer.compare((await files().get('large')) ?? new Uint8Array(), large)).toBe(0)
    expect((await files().stream('large'))?.size).toBe(3_000_000)
  })

  test('a file on the disk is copied, under the type that was given', async () => {
    const content = new Uint8Array(20_000_000).map((_, index) => (index * 7) % 253)
    const place = join(folder, 'upload')
    await writeFile(place, content)
    await files().put('copy', new File([Bun.file(place)], 'a.txt', { type: 'text/html' }), { type: 'application/pdf' })
    await rm(place)
    expect(Buffer.compare((await files().get('copy')) ?? new Uint8Array(), content)).toBe(0)
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
    await expect((async () => files().put(key, bytes('x')))()).rejects.toThrow(refused)
    await expect((async () => files().get(key))()).rejects.toThrow(refused)
    await expect((async () => files().stream(key))()).rejects.toThrow(refused)
    await expect((async () => files().delete(key))()).rejects.toThrow(refused)
  })
})

test('in a folder, files are for their owner only and nothing unfinished stays', async () => {
  const files = folderFiles(join(folder, 'modes'))
  await Promise.all(Array.from({ length: 20 }, (_, index) => files.put('same', bytes(`${index}`.repeat(1000)))))
  expect(await readdir(join(folder, 'modes'))).toEqual(['same'])
  expect((await stat(join(folder, 'modes', 'same'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'modes'))).mode & 0o777).toBe(0o700)
  const kept = text(await files.get('same')) ?? ''
  expect(kept).toMatch(/^(\d+)\1{999}$/)
})

test('in a folder, a write that fails leaves what was there and nothing unfinished', async () => {
  const place = join(folder, 'failing')
  const files = folderFiles(place)
  await files.put('taken/inside', bytes('kept'))
  await expect(files.put('taken', bytes('x'))).rejects.toThrow()
  expect(await readdir(place)).toEqual(['taken'])
  expect(text(await files.get('taken/inside'))).toBe('kept')
  await writeFile(join(place, 'plain'), 'x')
  expect(await files.get('plain/inside')).toBeUndefined()
  expect(await files.get('taken')).toBeUndefined()
})

test('an object store gets the type of a file, and its errors are passed on', async () => {
  const files = objectStoreFiles({ endpoint: store.url, ...account })
  await files.put('typed.png', bytes('x'), { type: 'image/png' })
  expect(store.objects.get('typed.png')?.type).toBe('image/png')
  const foreign = objectStoreFiles({ endpoint: store.url, ...account, accessKeyId: 'other' })
  await expect(foreign.put('a', bytes('x'))).rejects.toThrow('AccessDenied')
  await expect(foreign.get('a')).rejects.toThrow('AccessDenied')
  await expect(foreign.stream('typed.png')).rejects.toThrow()
  await expect(foreign.delete('a')).rejects.toThrow('AccessDenied')
})
