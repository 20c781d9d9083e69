import { describe, expect, test } from 'vitest'
import type { Embedder } from '../../src/knowledge/embedder.ts'
import { unit } from '../../src/knowledge/embedder.ts'
import { EmbedderBusyError, shareEmbedder } from '../../src/knowledge/shared-embedder.ts'
import { createVectorCache } from '../../src/knowledge/vector-cache.ts'
import { fileVectors, nearness, packVector } from '../../src/knowledge/vectors.ts'

/** An embedder that finishes a batch when it is told to, and remembers what it was given. */
function stepped() {
  const seen: string[][] = []
  const open: (() => void)[] = []
  const embedder: Embedder = {
    id: 'stepped',
    embed(texts) {
      seen.push(texts)
      return new Promise((resolve) => {
        open.push(() => resolve(texts.map(() => unit([1]))))
      })
    },
    close() {},
  }
  const step = async () => {
    open.shift()?.()
    await new Promise(setImmediate)
  }
  return { embedder, seen, step }
}

const page = (name: string) => `${name} ${'x'.repeat(1000)}`

describe('an embedder that all workspaces share', () => {
  test("ten files of one tenant delay another's question by one batch, and its file by one of theirs", async () => {
    const { embedder, seen, step } = stepped()
    const shared = shareEmbedder(embedder)
    const of = (workspaceId: number, kind: 'question' | 'passages', texts: string[]) =>
      shared.embed(texts, { workspaceId, kind })
    const big = Array.from({ length: 10 }, (_, file) => of(1, 'passages', [page(`a${file}`), page(`b${file}`)]))
    const small = of(2, 'passages', [page('small')])
    const question = of(2, 'question', ['When?'])
    await step()
    expect(seen.map(([text]) => text?.split(' ')[0])).toEqual(['a0', 'When?'])
    await step()
    await question
    await step()
    await step()
    expect(
      seen
        .slice(2, 4)
        .map(([text]) => text?.split(' ')[0])
        .toSorted(),
    ).toEqual(['b0', 'small'])
    await small
    while (seen.length < 22) await step()
    await step()
    expect((await Promise.all(big)).every((vectors) => vectors.length === 2)).toBe(true)
  })

  test('a short file of a tenant goes before its long ones, which do not wait for ever', async () => {
    const { embedder, seen, step } = stepped()
    const shared = shareEmbedder(embedder)
    const file = (name: string, pages: number) =>
      shared.embed(
        Array.from({ length: pages }, (_, at) => page(`${name}${at}`)),
        { workspaceId: 1, kind: 'passages' },
      )
    const all = [file('long', 6), file('other', 6), file('short', 1)]
    for (const workspaceId of [2, 3, 4]) {
      all.push(
        shared.embed(
          Array.from({ length: 6 }, (_, at) => page(`of${workspaceId}-${at}`)),
          { workspaceId, kind: 'passages' },
        ),
      )
    }
    for (let more = 0; more < 8; more++) {
      for (let turn = 0; turn < 4; turn++) await step()
      all.push(file(`next${more}-`, 1))
    }
    while (seen.length < 39) await step()
    await step()
    await Promise.all(all)
    const order = seen.map(([text]) => text?.split(' ')[0]).filter((name) => !name?.startsWith('of'))
    expect(order.slice(0, 2)).toEqual(['long0', 'short0'])
    expect(order.indexOf('other5')).toBeLessThan(order.indexOf('next7-0'))
  })

  test('short texts go together, and vectors come in the order of the texts', async () => {
    const embedder: Embedder = {
      id: 'lengths',
      embed: async (texts) => texts.map((text) => unit([text.length, 1])),
      close() {},
    }
    const texts = Array.from({ length: 40 }, (_, index) => 'x'.repeat(index * 20))
    const vectors = await shareEmbedder(embedder).embed(texts, { workspaceId: 1, kind: 'passages' })
    expect(vectors).toEqual(texts.map((text) => unit([text.length, 1])))
  })

  test('too many questions of one workspace are refused, those of others are not', async () => {
    const { embedder, step } = stepped()
    const shared = shareEmbedder(embedder)
    const ask = (workspaceId: number) => shared.embed(['When?'], { workspaceId, kind: 'question' })
    const waiting = Array.from({ length: 33 }, () => ask(1))
    await expect(ask(1)).rejects.toThrow(EmbedderBusyError)
    waiting.push(ask(2))
    for (let at = 0; at < 34; at++) await step()
    await Promise.all(waiting)
  })

  test('what nobody waits for any more is left out, and closing ends what waits', async () => {
    const { embedder, seen, step } = stepped()
    const shared = shareEmbedder(embedder)
    const gone = new AbortController()
    const first = shared.embed(['one'], { workspaceId: 1, kind: 'question' })
    const second = shared.embed(['two'], { workspaceId: 1, kind: 'question', signal: gone.signal })
    const third = shared.embed(['three'], { workspaceId: 1, kind: 'question' })
    gone.abort(new Error('gone'))
    const refused = expect(second).rejects.toThrow('gone')
    await step()
    await refused
    await first
    expect(seen).toEqual([['one'], ['three']])
    const fourth = shared.embed(['four'], { workspaceId: 1, kind: 'question' })
    const closed = expect(fourth).rejects.toThrow('The embedder was closed')
    shared.close()
    await closed
    await step()
    await third
  })
})

describe('vectors', () => {
  const dimensions = 384
  const random = (seed: number) =>
    unit(Array.from({ length: dimensions }, (_, index) => Math.sin(seed * 12.9898 + index * 78.233)))

  test('take a quarter of the room and keep their cosines', () => {
    const made = Array.from({ length: 50 }, (_, index) => random(index))
    const vectors = fileVectors(made.map((vector, id) => ({ id, vector: packVector(vector) })))
    expect(vectors.bytes).toBe(50 * (dimensions + 8))
    const query = random(1000)
    const found = nearness(vectors, [query], [0, 50])
    for (const [index, vector] of made.entries()) {
      const exact = vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0)
      expect(Math.abs((found[index] ?? 9) - exact)).toBeLessThan(0.005)
    }
  })

  test('are read once for all who ask, and no more of them are held than the bound', async () => {
    const file = fileVectors([{ id: 1, vector: packVector(random(1)) }])
    const cache = createVectorCache(file.bytes * 2)
    let reads = 0
    const load = async () => {
      reads++
      return file
    }
    await Promise.all([cache.of(1, load), cache.of(1, load), cache.of(1, load)])
    expect(reads).toBe(1)
    await cache.of(2, load)
    await cache.of(1, load)
    await cache.of(3, load)
    expect([reads, cache.bytes]).toEqual([3, file.bytes * 2])
    await cache.of(1, load)
    expect(reads).toBe(3)
    await cache.of(2, load)
    expect(reads).toBe(4)
  })

  test('that could not be read are asked for again', async () => {
    const cache = createVectorCache()
    await expect(cache.of(1, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect((await cache.of(1, async () => fileVectors([]))).ids).toHaveLength(0)
  })
})
