import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { addCharge, credit, newMember, newModel, newPayer } from '../support/payer.ts'
import { addCharges } from '../support/rows/charges.ts'

let app: TestApp
let cheap: string
let dear: string
beforeAll(async () => {
  app = await testApp({ clock: testClock(new Date('2026-03-31T12:00:00.000Z')) })
  ;[cheap, dear] = [await newModel(app, 1, 1), await newModel(app, 10, 10)]
})

const read = ({ token }: TestUser, query = '') => clientOf(app, token).get(`/usage/spend${query}`)

const newAgent = async ({ token }: TestUser, name: string): Promise<string> =>
  (await clientOf(app, token).data('POST', '/agents', { name })).id

/** A turn of an agent, as it is charged. */
async function turn({ token }: TestUser, agent: string) {
  const client = clientOf(app, token)
  const path = `/agents/${agent}/chats`
  const { id } = await client.data('POST', path, {})
  expect((await client.post(`${path}/${id}/messages`, { content: 'Hi' })).status).toBe(201)
}

const charge = (user: TestUser, model: string, micros: number, at: string, currency: 'usd' | 'tokens' = 'usd') =>
  addCharge(app, user, { model, micros, currency, at: new Date(at) })

describe('GET /usage/spend', () => {
  test('sums by day and model, by model and by agent, of the period and the workspace alone', async () => {
    const user = await newPayer(app, 'usd')
    const stranger = await newPayer(app, 'usd')
    await charge(user, cheap, 100, '2026-03-01T23:59:59.999Z')
    await charge(user, cheap, 1_000_000, '2026-03-02T00:00:00.000Z')
    await charge(user, cheap, 500_000, '2026-03-02T23:59:59.999Z')
    await charge(user, dear, 4_000_000, '2026-03-31T08:00:00.000Z')
    await charge(user, dear, 9_000_000, '2026-03-31T08:00:00.000Z', 'tokens')
    await charge(stranger, dear, 7_000_000, '2026-03-31T08:00:00.000Z')
    const of = (amount_usd: number, turns: number) => ({
      amount_usd,
      amount_tokens: null,
      turns,
      prompt_tokens: 10 * turns,
      completion_tokens: 5 * turns,
    })
    expect(await read(user)).toEqual({
      status: 200,
      body: {
        object: 'spend',
        period: { from: '2026-03-02', to: '2026-03-31' },
        total_usd: 5.5,
        total_tokens: null,
        by_day: [
          { date: '2026-03-02', model: cheap, ...of(1.5, 2) },
          { date: '2026-03-31', model: dear, ...of(4, 1) },
        ],
        by_model: [
          { model: dear, ...of(4, 1) },
          { model: cheap, ...of(1.5, 2) },
        ],
        by_agent: [{ agent_id: null, name: null, ...of(5.5, 3) }],
      },
    })
    expect((await read(user, '?from=2026-03-01&to=2026-03-01')).body).toMatchObject({ total_usd: 0.0001 })
  })

  test("names the caller's own agents, and puts those of others together", async () => {
    const user = await newPayer(app, 'tokens')
    await credit(app, user, 'tokens', 1_000_000)
    const colleague = await newMember(app, user)
    const [one, two] = [await newAgent(user, 'One'), await newAgent(user, 'Two')]
    await turn(user, one)
    await turn(user, one)
    await turn(user, two)
    await turn(colleague, await newAgent(colleague, 'Secret'))
    const today = new Date().toISOString().slice(0, 10)
    const { body } = await read(user, `?from=${today}&to=${today}`)
    const named = body.by_agent.map(({ agent_id, name, turns }: Record<string, unknown>) => [agent_id, name, turns])
    expect(named).toHaveLength(3)
    expect(named).toEqual(
      expect.arrayContaining([
        [one, 'One', 2],
        [two, 'Two', 1],
        [null, null, 1],
      ]),
    )
    expect(body.total_tokens).toBe(
      body.by_agent.reduce((sum: number, row: { amount_tokens: number }) => sum + row.amount_tokens, 0),
    )
    expect(JSON.stringify((await read(colleague, `?from=${today}&to=${today}`)).body)).not.toContain('One')
  })

  test('adds up thousands of charges, many of one moment, each once in every sum, and lets others in between', async () => {
    const user = await newPayer(app, 'usd')
    const models = ['B-model', 'a_model', 'a-model', null]
    const rows = Array.from({ length: 4_500 }, (_, n) => ({
      workspaceId: user.workspaceId,
      currency: 'usd' as const,
      kind: 'charge' as const,
      delta: -(n % 97),
      turnId: crypto.randomUUID(),
      model: models[n % 4] ?? null,
      promptTokens: n % 4 === 0 ? null : n,
      completionTokens: 1,
      createdAt: new Date(Date.UTC(2026, 2, n < 1_500 ? 3 : 3 + (n % 20))),
    }))
    await addCharges(app.services, rows)
    let reading = true
    const answer = read(user).finally(() => {
      reading = false
    })
    let meanwhile = 0
    for (; reading; meanwhile++) await charge(user, cheap, 1_000_000, '2026-03-31T11:00:00.000Z')
    expect(meanwhile).toBeGreaterThan(1)

    const { body } = await answer
    const spent = (amounts: { amount_usd: number }[]) => amounts.reduce((sum, { amount_usd }) => sum + amount_usd, 0)
    for (const parts of [body.by_day, body.by_model, body.by_agent]) {
      expect(spent(parts)).toBeCloseTo(body.total_usd, 6)
    }
    type Named = { date?: string; model: string | null }
    const before = ({ model }: Named) => model !== cheap
    expect(body.by_model.filter(before)).toEqual(
      expect.arrayContaining(
        models.map((model) => {
          const mine = rows.filter((row) => row.model === model)
          return {
            model,
            amount_usd: mine.reduce((sum, { delta }) => sum - delta, 0) / 1_000_000,
            amount_tokens: null,
            turns: mine.length,
            prompt_tokens: mine.reduce((sum, { promptTokens }) => sum + (promptTokens ?? 0), 0),
            completion_tokens: mine.length,
          }
        }),
      ),
    )
    const sorted = await app.database.sql`select model from unnest(${models}::text[]) m(model) order by model`
    const [first] = body.by_day
    expect(body.by_day.filter(({ date }: Named) => date === first.date).map(({ model }: Named) => model)).toEqual(
      sorted.map(({ model }) => model),
    )
    const dates = body.by_day.map(({ date }: Named) => date)
    expect(dates).toEqual(dates.toSorted())
  })

  test.each([
    ['?from=2026-03-02&to=2026-03-01', 'The from field must not be after the to field.'],
    ['?to=0001-01-01', 'The to field must be in the years 1900 to 9998.'],
    ['?from=9999-12-31', 'The from field must be in the years 1900 to 9998.'],
    ['?from=2025-01-01&to=2026-03-01', 'The period must not be longer than 366 days.'],
  ])('%s is 422', async (query, message) => {
    const { status, body } = await read(await newUser(app.database), query)
    expect([status, body.message]).toEqual([422, message])
  })

  test.each(['1900-01-01', '9998-12-31'])('the edge of the calendar, %s, is a day like others', async (day) => {
    const { status, body } = await read(await newPayer(app, 'usd'), `?from=${day}&to=${day}`)
    expect([status, body.total_usd]).toEqual([200, 0])
  })

  test('a workspace that is not billed has spent nothing', async () => {
    expect((await read(await newUser(app.database))).body).toMatchObject({
      total_usd: null,
      total_tokens: null,
      by_day: [],
    })
  })
})
