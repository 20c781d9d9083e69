import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { purgeConversations } from '../../src/resources/conversations/record.ts'
import { type TestApp, testApp, testClock } from '../support/app.ts'
import { newWidget, type WidgetRig } from './rig.ts'

const clock = testClock(new Date('2026-03-10T12:00:00.000Z'))
let app: TestApp
let widget: WidgetRig
let path: string
beforeAll(async () => {
  app = await testApp({ clock })
})

const from = async () => {
  widget = await newWidget(app)
  path = `/assistants/${widget.assistantId}/conversations`
  return widget.key()
}

const say = async (key: string, body: object, headers: Record<string, string> = {}, to: TestApp = app) =>
  (await to.send('POST', `/widget/${key}/chat`, { body, headers })).json()
const read = async (at = path, token = widget.user.token) => (await app.send('GET', at, { token })).json()

describe("visitors' conversations", () => {
  test('are read by whose assistant it is: the latest first, each with what was said', async () => {
    const key = await from()
    const first = await say(key, { message: 'What does your rye bread cost?' }, { origin: 'https://bakery.example' })
    clock.advance(1000)
    await say(key, { message: `Hello ${'x'.repeat(300)}` })
    clock.advance(1000)
    await say(key, { message: 'And wheat?', session_id: first.session_id })

    const list = await read()
    expect(list).toEqual({
      success: true,
      data: [
        {
          id: expect.any(String),
          subject: 'What does your rye bread cost?',
          origin: 'https://bakery.example',
          messages_count: 4,
          created_at: '2026-03-10T12:00:00.000Z',
          last_message_at: '2026-03-10T12:00:02.000Z',
        },
        expect.objectContaining({ subject: `Hello ${'x'.repeat(194)}`, origin: null, messages_count: 2 }),
      ],
      pagination: expect.objectContaining({ total: 2 }),
    })
    const one = `${path}/${list.data[0].id}`
    expect(await read(one)).toEqual({ success: true, data: list.data[0] })
    const { data, pagination } = await read(`${one}/messages`)
    expect(data.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual([
      ['visitor', 'What does your rye bread cost?'],
      ['assistant', 'Our rye bread costs four euros.'],
      ['visitor', 'And wheat?'],
      ['assistant', expect.any(String)],
    ])
    expect(pagination).toMatchObject({ total: 4 })
    expect((await read(`${one}/messages?per_page=1&page=3`)).data).toMatchObject([{ content: 'And wheat?' }])
  })

  test('have the message that got no reply', async () => {
    const key = await from()
    const failing = await testApp(
      { database: app.database, clock },
      {
        converse: async () => {
          throw new Error('no model')
        },
      },
    )
    await say(key, { message: 'Is anybody there?' }, {}, failing)
    const { data } = await read()
    expect(data).toMatchObject([{ subject: 'Is anybody there?', messages_count: 1 }])
  })

  test('are deleted with all their messages, and with their assistant', async () => {
    const key = await from()
    await say(key, { message: 'One' })
    await say(key, { message: 'Two' })
    const { token } = widget.user
    const [{ id }] = (await read()).data
    const gone = await app.send('DELETE', `${path}/${id}`, { token })
    expect([gone.status, await gone.json()]).toEqual([200, { success: true, message: 'Conversation deleted' }])
    expect(await read(`${path}/${id}`)).toEqual({ success: false, message: 'Conversation not found' })
    expect((await read()).data).toHaveLength(1)
    expect((await app.send('DELETE', `/assistants/${widget.assistantId}`, { token })).status).toBe(200)
    const left = await app.database.db.execute(sql`select id from conversations where subject in ('One', 'Two')`)
    expect(left).toHaveLength(0)
  })

  test('of another assistant are not found under this one', async () => {
    const key = await from()
    await say(key, { message: 'Mine' })
    const [{ id }] = (await read()).data
    await from()
    expect(await read(`${path}/${id}/messages`)).toEqual({ success: false, message: 'Conversation not found' })
  })

  test('are kept for as many days as is said, and for ever where nothing is', async () => {
    const key = await from()
    await say(key, { message: 'Old' })
    const { db } = app.database
    await db.execute(sql`update conversations set last_message_at = now() - interval '8 days' where subject = 'Old'`)
    await say(key, { message: 'New' })
    await db.execute(sql`update conversations set last_message_at = now() where subject = 'New'`)
    await purgeConversations(db, 0)
    expect((await read()).data).toHaveLength(2)
    await purgeConversations(db, 7)
    expect((await read()).data).toMatchObject([{ subject: 'New' }])
  })
})
