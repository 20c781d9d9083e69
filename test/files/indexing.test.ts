import { describe, expect, test, vi } from 'vitest'
import type { Embedder } from '../../src/knowledge/embedder.ts'
import { unit } from '../../src/knowledge/embedder.ts'
import { indexIdOf } from '../../src/resources/files/indexer.ts'
import { newUser, type TestApp, testApp, testClock } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { loggedLines } from '../support/logged-lines.ts'
import { embedderOfFirst } from '../support/rows/files.ts'

/** An embedder that counts letters; it can be told to wait or to fail. */
function letters(id: string, behave: () => Promise<void> = async () => {}): Embedder & { calls: number } {
  return {
    id,
    calls: 0,
    async embed(texts) {
      this.calls++
      await behave()
      return texts.map((text) => unit([...'abcdefgh'].map((letter) => text.split(letter).length - 1 + 0.01)))
    },
    close() {},
  }
}

/** The passages that the first agent's files have for a question. */
const find = (app: TestApp, query: string) => app.services.search({ agentId: 1, workspaceId: 1, query, limit: 5 })

const start = async (embedder: Embedder, database = freshDatabase()) => {
  const app = await testApp({ database: await database, embedder })
  const user = await newUser(app.database)
  const created = await app.send('POST', '/agents', { token: user.token, body: { name: 'Guide' } })
  const agent = (await created.json()).data.id
  const upload = async (content: string) => {
    const form = new FormData()
    form.set('file', new File([content], 'a.txt'))
    return (await (await app.send('POST', `/agents/${agent}/files`, { token: user.token, body: form })).json()).data
  }
  const file = async () =>
    (await (await app.send('GET', `/agents/${agent}/files`, { token: user.token })).json()).data[0]
  return { app, user, upload, file }
}

describe('indexing', () => {
  test('the log says how far it is, every five seconds while it goes on', async () => {
    const database = await freshDatabase()
    const broken = letters('same', async () => {
      throw new Error('out of reach')
    })
    const first = await start(broken, Promise.resolve(database))
    for (let number = 0; number < 8; number++) await first.upload(`The garage closes at ${number}.`)
    await first.app.services.indexer.stop()
    await database.sql`update knowledge_files set due_at = now() - interval '1 second'`
    const { log, lines } = loggedLines()
    const clock = testClock()
    const app = await testApp({ database, embedder: letters('same', async () => clock.advance(3_000)), clock, log })
    await app.services.indexer.work.run()
    const said = lines.filter(({ event }) => event === 'indexing_progress')
    expect(said.map(({ done, left, percent }) => ({ done, left, percent }))).toEqual(
      [2, 4, 6, 8].map((done) => ({ done, left: 8 - done, percent: (100 * done) / 8 })),
    )
    await app.services.indexer.stop()
    await database.close()
  })

  test('a slow embedder delays no upload: the file is found by its words, its vectors follow', async () => {
    let release = () => {}
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const { app, upload, file } = await start(letters('slow', () => blocked))
    const uploaded = await upload('The garage closes at ten.')
    expect(uploaded).toMatchObject({ extracted: true, indexed: false })
    expect(await file()).toMatchObject({ indexed: false, vector_count: 0 })
    release()
    await vi.waitFor(async () => expect(await file()).toMatchObject({ indexed: true, vector_count: 1 }), 30_000)
    await app.services.indexer.stop()
    await app.database.close()
  }, 15_000)

  test('what a stopped or crashed process left is indexed after the next start', async () => {
    const database = await freshDatabase()
    const broken = letters('same', async () => {
      throw new Error('out of reach')
    })
    const first = await start(broken, Promise.resolve(database))
    expect(await first.upload('The garage closes at ten.')).toMatchObject({ indexed: false })
    await first.app.services.indexer.stop()
    await database.sql`update knowledge_files set due_at = now() - interval '1 second'`
    const second = await testApp({ database, embedder: letters('same') })
    await second.services.indexer.prepare(false)
    await second.services.indexer.work.run()
    await vi.waitFor(async () => expect(await first.file()).toMatchObject({ indexed: true, vector_count: 1 }), 30_000)
    await second.services.indexer.stop()
    await database.close()
  })

  test('another embedder indexes everything again, and vectors of two are never compared', async () => {
    const database = await freshDatabase()
    const first = await start(letters('one'), Promise.resolve(database))
    await first.upload('The garage closes at ten.')
    const next = letters('two')
    const second = await testApp({ database, embedder: next })
    expect(await find(second, 'gagaga')).toEqual([])
    expect(await find(second, 'garage')).toHaveLength(1)
    expect(next.calls).toBe(0)
    await second.services.indexer.prepare(false)
    await second.services.indexer.work.run()
    await vi.waitFor(async () => expect(await find(second, 'gagaga')).toHaveLength(1), 30_000)
    expect(await embedderOfFirst(database)).toBe(indexIdOf('two'))
    await first.app.services.indexer.stop()
    await second.services.indexer.stop()
    await database.close()
  })

  test('text is cut at 200,000 characters', async () => {
    const { app, upload } = await start(letters('one'))
    const line = `${'ab '.repeat(33)}\n`
    await upload(`${line.repeat(2000)}TAIL`)
    await upload(`${line.repeat(1999)}${'x'.repeat(90)} END ${'y'.repeat(50)}`)
    expect((await find(app, 'tail')).filter(({ text }) => text.includes('TAIL'))).toEqual([])
    expect((await find(app, 'end')).some(({ text }) => text.includes('END'))).toBe(true)
    await app.services.indexer.stop()
    await app.database.close()
  }, 30_000)
})
