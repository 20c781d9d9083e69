import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import type { Files } from '../../src/storage/files.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'

const lost = () => Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })

/** What the database does to a file's record. */
type Break = 'nothing' | 'commits, and loses the connection' | 'refuses' | 'is gone after the commit'

/** A query that is built like any other, and gets no answer. */
function unanswered(): object {
  const answer = Promise.reject(lost())
  const chain: object = new Proxy(answer, {
    get: (target, name) => (name === 'then' || name === 'catch' ? target[name].bind(target) : () => chain),
  })
  return chain
}

let breaks: Break = 'nothing'
let gone = false

/** The database of this worker, which breaks as it is told. */
function breaking(db: Database): Database {
  const transaction: Database['transaction'] = async (...work) => {
    const way = breaks
    breaks = 'nothing'
    if (way === 'refuses') throw new Error('no writing today')
    const result = await db.transaction(...work)
    if (way === 'commits, and loses the connection') throw lost()
    gone = way === 'is gone after the commit'
    return result
  }
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      if (name === 'select' && gone) return () => unanswered()
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const stored = new Map<string, Uint8Array>()
const files: Files = {
  async put(key, content) {
    stored.set(key, content instanceof Blob ? await content.bytes() : content)
  },
  get: async (key) => stored.get(key),
  async stream(key) {
    const found = stored.get(key)
    return found && { body: new Response(found.slice()).body ?? new ReadableStream(), size: found.length }
  },
  async delete(key) {
    stored.delete(key)
  },
}

let app: TestApp
let user: TestUser
let agent: string
beforeAll(async () => {
  const database = await testDatabase()
  app = await testApp({ database: { ...database, db: breaking(database.db) }, files })
  user = await newUser(database)
  const created = await app.send('POST', '/agents', { token: user.token, body: { name: 'Guide' } })
  agent = (await created.json()).data.id
})

const upload = async (name: string, way: Break) => {
  const body = new FormData()
  body.set('file', new File(['What the file says.'], name))
  breaks = way
  const answer = await app.send('POST', `/agents/${agent}/files`, { token: user.token, body })
  gone = false
  return answer.status
}
const listed = async (): Promise<{ id: number; original_name: string }[]> =>
  (await (await app.send('GET', `/agents/${agent}/files`, { token: user.token })).json()).data
const contentOf = async (id: number) =>
  (await app.send('GET', `/agents/${agent}/files/${id}/content`, { token: user.token })).text()

describe('an upload whose database', () => {
  test.each<[Break, string]>([
    ['commits, and loses the connection', 'lost.pdf'],
    ['is gone after the commit', 'gone.txt'],
  ])('%s is done, listed once and has its content', async (way, name) => {
    expect(await upload(name, way)).toBe(201)
    const found = (await listed()).filter((file) => file.original_name === name)
    expect(found).toHaveLength(1)
    expect(await contentOf(found[0]?.id ?? 0)).toBe('What the file says.')
  })

  test('refuses it leaves neither the row nor the content', async () => {
    const before = [await listed(), [...stored.keys()]]
    expect(await upload('refused.pdf', 'refuses')).toBe(500)
    await expect.poll(async () => [await listed(), [...stored.keys()]]).toEqual(before)
  })
})
