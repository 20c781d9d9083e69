import { Elysia } from 'elysia'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AccountContext } from '../../src/api/context.ts'
import { serveWith } from '../../src/api/http/request.ts'
import { post } from '../../src/api/meta.ts'
import { registerRest } from '../../src/api/rest/register.ts'
import { rpcHandler } from '../../src/api/rpc/handler.ts'
import { router, workspaceProcedure } from '../../src/api/trpc.ts'
import { outOfFundsErrors, requireFunds, reserve } from '../../src/resources/billing/spend.ts'
import { type TestApp, type TestUser, testApp } from '../support/app.ts'
import { loopback } from '../support/connections.ts'
import { newMember, newModel, newPayer } from '../support/payer.ts'
import { changeWorkspace } from '../support/rows/accounts.ts'

const Input = z.object({ model: z.string() })
const Output = z.object({ cap: z.int() })
const options = { tag: 'Test', feature: 'ai_chat' as const, errors: outOfFundsErrors }

const reserved = async (ctx: AccountContext, { model }: z.output<typeof Input>) => {
  const hold = await reserve(ctx, {
    payerWorkspaceId: ctx.account.workspaceId,
    model,
    estimate: { promptTokens: 10, completionTokens: 10 },
    turnId: crypto.randomUUID(),
  })
  return { cap: hold.maxCompletionTokens }
}

/** The smallest operations that spend, one of each document style. */
const spendingRouter = router({
  chat: workspaceProcedure
    .meta(post('/chats', 'Chat', { ...options, document: 'agents' }))
    .input(z.object({}))
    .output(Output)
    .mutation(async ({ ctx }) => {
      await requireFunds(ctx, ctx.account.workspaceId)
      return { cap: 0 }
    }),
  message: workspaceProcedure
    .meta(post('/messages', 'Message', { ...options, document: 'agents' }))
    .input(Input)
    .output(Output)
    .mutation(({ ctx, input }) => reserved(ctx, input)),
  completion: workspaceProcedure
    .meta(post('/completions', 'Completion', { ...options, document: 'completions' }))
    .input(Input)
    .output(Output)
    .mutation(({ ctx, input }) => reserved(ctx, input)),
})

let app: TestApp
let model: string
let send: (path: string, user: TestUser, body: unknown) => Promise<Response>
beforeAll(async () => {
  app = await testApp()
  model = await newModel(app, 1, 2)
  const elysia = new Elysia()
  const serve = serveWith(app.services, loopback)
  registerRest(elysia, spendingRouter, serve)
  elysia.route('ALL', '/trpc/*', serve(rpcHandler(spendingRouter)), { parse: 'none' })
  send = (path, { token }, body) =>
    elysia.handle(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
})

const wordings = [
  ['usd', true, 'Your USD balance is empty. Please recharge to continue.'],
  ['tokens', true, 'You are not subscribed or your token limit is reached. Please recharge to continue.'],
  ['usd', false, 'This workspace is out of USD. Please ask the workspace owner to recharge.'],
  ['tokens', false, 'This workspace is out of tokens. Please ask the workspace owner to recharge.'],
] as const

describe.each(wordings)('an empty balance in %s, payer_is_self %s', (currency, isSelf, message) => {
  const body = { error: true, insufficient_tokens: true, payer_is_self: isSelf, message }
  const caller = async () => {
    const owner = await newPayer(app, currency)
    return isSelf ? owner : newMember(app, owner)
  }

  test.each(['/chats', '/messages'])('%s', async (path) => {
    const answer = await send(path, await caller(), { model })
    expect([answer.status, await answer.json()]).toEqual([402, body])
  })

  test('in the envelope of completions', async () => {
    const answer = await send('/completions', await caller(), { model })
    expect([answer.status, await answer.json()]).toEqual([
      402,
      { error: { message, type: 'insufficient_quota', code: 402 } },
    ])
  })

  test('over tRPC', async () => {
    const answer = await send('/trpc/message', await caller(), { model })
    const { error } = await answer.json()
    expect([answer.status, error.data.httpStatus, error.data.body]).toEqual([402, 402, body])
  })
})

describe('the payer', () => {
  test('is whoever owns the workspace when the turn begins', async () => {
    const owner = await newPayer(app, 'usd')
    const member = await newMember(app, owner)
    const isSelf = async () => (await (await send('/messages', member, { model })).json()).payer_is_self
    expect(await isSelf()).toBe(false)
    await changeWorkspace(app.database, member.workspaceId, { ownerId: member.userId })
    expect(await isSelf()).toBe(true)
  })

  test('is nobody in a workspace without an owner', async () => {
    const user = await newPayer(app, 'usd')
    await changeWorkspace(app.database, user.workspaceId, { ownerId: null })
    expect(await (await send('/messages', user, { model })).json()).toMatchObject({
      payer_is_self: false,
      message: 'This workspace is out of USD. Please ask the workspace owner to recharge.',
    })
  })
})
