import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'
import { newPayer, stored } from '../support/payer.ts'

let app: TestApp
let admin: Awaited<ReturnType<typeof newClient>>
beforeAll(async () => {
  app = await testApp()
  admin = await newClient(app, { role: 'admin' })
})

const pay = (workspaceId: number, body: unknown) => admin.post(`/admin/workspaces/${workspaceId}/credits`, body)

const payment = () => `payment-${crypto.randomUUID()}`
const credited = (balance_usd: number | null, balance_tokens: number | null) => ({
  status: 201,
  body: { success: true, data: { balance_usd, balance_tokens } },
})
const conflict = {
  status: 409,
  body: {
    success: false,
    message: 'This payment_id was already credited with another amount or to another workspace.',
  },
}

describe('a payment', () => {
  test('is added to the balance, with an entry that says who entered it', async () => {
    const user = await newPayer(app, 'usd')
    expect(await pay(user.workspaceId, { payment_id: payment(), amount_usd: 12.5 })).toEqual(credited(12.5, null))
    const payment_id = payment()
    expect(await pay(user.workspaceId, { payment_id, amount_usd: 0.000001 })).toEqual(credited(12.500001, null))
    const { entries, ...rest } = await stored(app, user, 'usd')
    expect(rest).toEqual({ balance: 12_500_001, held: 0, holds: [], deltas: [12_500_000, 1] })
    expect(entries[1]).toMatchObject({ kind: 'credit', paymentId: payment_id, turnId: null, userId: admin.userId })
  })

  test.each([
    ['usd', { amount_usd: 5 }, 5_000_000],
    ['tokens', { tokens: 5_000 }, 5_000],
  ] as const)('sent 20 times at once is credited once, in %s', async (currency, amount, balance) => {
    const user = await newPayer(app, currency)
    const body = { payment_id: payment(), ...amount }
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(user.workspaceId, body)))
    const answer = currency === 'usd' ? credited(5, null) : credited(null, 5_000)
    expect(answers).toEqual(Array(20).fill(answer))
    expect(await stored(app, user, currency)).toMatchObject({ balance, deltas: [balance] })
  })

  test('20 payments at once all count', async () => {
    const user = await newPayer(app, 'usd')
    const sent = Array.from({ length: 20 }, () => pay(user.workspaceId, { payment_id: payment(), amount_usd: 0.1 }))
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 2_000_000 })
  })

  test('with another amount, currency or workspace is a conflict, and changes nothing', async () => {
    const [user, other] = [await newPayer(app, 'none'), await newPayer(app, 'none')]
    const payment_id = payment()
    expect(await pay(user.workspaceId, { payment_id, amount_usd: 5 })).toEqual(credited(5, 0))
    expect(await pay(user.workspaceId, { payment_id, amount_usd: 6 })).toEqual(conflict)
    expect(await pay(user.workspaceId, { payment_id, tokens: 5_000_000 })).toEqual(conflict)
    expect(await pay(other.workspaceId, { payment_id, amount_usd: 5 })).toEqual(conflict)
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 5_000_000, deltas: [5_000_000] })
    expect(await stored(app, other, 'usd')).toMatchObject({ balance: undefined, deltas: [] })
    expect(await stored(app, user, 'tokens')).toMatchObject({ balance: undefined, deltas: [] })
  })
})

test('both currencies of a workspace are kept apart, whatever it is billed in', async () => {
  const user = await newPayer(app, 'usd')
  await pay(user.workspaceId, { payment_id: payment(), amount_usd: 3 })
  const change = (billing: string) =>
    app.send('PATCH', `/admin/workspaces/${user.workspaceId}`, { token: admin.token, body: { billing } })
  expect((await change('tokens')).status).toBe(200)
  expect(await pay(user.workspaceId, { payment_id: payment(), tokens: 700 })).toEqual(credited(null, 700))
  const usage = async () => (await app.send('GET', '/usage', { token: user.token })).json()
  expect(await usage()).toMatchObject({ billing_active: true, balance_usd: null, balance_tokens: 700 })
  expect((await change('usd')).status).toBe(200)
  expect(await usage()).toMatchObject({ billing_active: true, balance_usd: 3, balance_tokens: null })
})
