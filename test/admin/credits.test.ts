import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, operator, refusal } from './caller.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})

const workspace = async (billing: 'none' | 'usd' | 'tokens') => {
  const { workspaceId } = await newUser(app.database)
  await admin.send('PATCH', `/admin/workspaces/${workspaceId}`, { billing })
  return workspaceId
}

const payment = () => `pay_${crypto.randomUUID()}`
const credit = (id: number, body: object) => admin.send('POST', `/admin/workspaces/${id}/credits`, body)
const balances = (usd: number | null, tokens: number | null) => ({
  status: 201,
  body: { success: true, data: { balance_usd: usd, balance_tokens: tokens } },
})

describe('credits', () => {
  test('add up, in micro-dollars', async () => {
    const id = await workspace('usd')
    expect(await credit(id, { payment_id: payment(), amount_usd: 0.1 })).toEqual(balances(0.1, null))
    expect(await credit(id, { payment_id: payment(), amount_usd: 0.2 })).toEqual(balances(0.3, null))
    expect(await credit(id, { payment_id: payment(), amount_usd: 0.000_001 })).toEqual(balances(0.300_001, null))
    expect(await credit(id, { payment_id: payment(), amount_usd: 999_999.123_456 })).toEqual(
      balances(999_999.423_457, null),
    )
  })

  test('are tokens where the workspace is billed in tokens, and either where it is not billed', async () => {
    const inTokens = await workspace('tokens')
    expect(await credit(inTokens, { payment_id: payment(), tokens: 5000 })).toEqual(balances(null, 5000))
    const neither = await workspace('none')
    await credit(neither, { payment_id: payment(), tokens: 10 })
    expect(await credit(neither, { payment_id: payment(), amount_usd: 2.5, tokens: null })).toEqual(balances(2.5, 10))
  })

  test('count once per payment, however often it comes', async () => {
    const id = await workspace('usd')
    const body = { payment_id: payment(), amount_usd: 7 }
    expect(await credit(id, body)).toEqual(balances(7, null))
    expect(await credit(id, body)).toEqual(balances(7, null))
    await admin.send('PATCH', `/admin/workspaces/${id}`, { billing: 'tokens' })
    expect(await credit(id, body)).toEqual(balances(null, 0))
  })

  test('count once for twenty at the same time', async () => {
    const id = await workspace('tokens')
    const body = { payment_id: payment(), tokens: 3 }
    const answers = await Promise.all(Array.from({ length: 20 }, () => credit(id, body)))
    expect(answers).toEqual(Array.from({ length: 20 }, () => balances(null, 3)))
  })
})

describe('refused', () => {
  test("a payment that was another amount or another workspace's", async () => {
    const [id, other] = [await workspace('usd'), await workspace('usd')]
    const payment_id = payment()
    await credit(id, { payment_id, amount_usd: 7 })
    const conflict = {
      status: 409,
      body: {
        success: false,
        message: 'This payment_id was already credited with another amount or to another workspace.',
      },
    }
    expect(await credit(id, { payment_id, amount_usd: 8 })).toEqual(conflict)
    expect(await credit(id, { payment_id, tokens: 7 })).toEqual(conflict)
    expect(await credit(other, { payment_id, amount_usd: 7 })).toEqual(conflict)
    expect(await credit(id, { payment_id: payment(), amount_usd: 1 })).toEqual(balances(8, null))
  })

  const wrong: [field: string, sent: object, text: string][] = [
    ['payment_id', { payment_id: undefined, tokens: 1 }, 'The payment_id field is required.'],
    ['payment_id', { payment_id: '', tokens: 1 }, 'The payment_id field is required.'],
    [
      'payment_id',
      { payment_id: 'x'.repeat(256), tokens: 1 },
      'The payment_id field must have at most 255 characters.',
    ],
    ['amount_usd', {}, 'Send amount_usd or tokens.'],
    ['tokens', { amount_usd: 1, tokens: 1 }, 'Send amount_usd or tokens, not both.'],
    ['amount_usd', { amount_usd: 0 }, 'The amount_usd field must be at least 0.000001.'],
    ['amount_usd', { amount_usd: -5 }, 'The amount_usd field must be at least 0.000001.'],
    ['amount_usd', { amount_usd: 1.000_000_5 }, 'The amount_usd field must be a multiple of 0.000001.'],
    ['amount_usd', { amount_usd: 1_000_001 }, 'The amount_usd field must be at most 1000000.'],
    ['amount_usd', { amount_usd: '5' }, 'The amount_usd field must be a number.'],
    ['tokens', { tokens: 0 }, 'The tokens field must be at least 1.'],
    ['tokens', { tokens: 1.5 }, 'The tokens field must be an integer.'],
  ]
  test.each(wrong)('%s of %j', async (field, sent, text) => {
    const id = await workspace('none')
    expect(await credit(id, { payment_id: payment(), ...sent })).toEqual(refusal(field, text))
  })

  test('the currency that the workspace does not have', async () => {
    expect(await credit(await workspace('usd'), { payment_id: payment(), tokens: 1 })).toEqual(
      refusal('tokens', 'This workspace is billed in usd: send amount_usd.'),
    )
    expect(await credit(await workspace('tokens'), { payment_id: payment(), amount_usd: 1 })).toEqual(
      refusal('amount_usd', 'This workspace is billed in tokens: send tokens.'),
    )
  })

  test('a workspace that does not exist', async () => {
    expect(await credit(2_147_483_647, { payment_id: payment(), tokens: 1 })).toEqual({
      status: 404,
      body: { success: false, message: 'Workspace not found' },
    })
  })
})
