import { and, eq } from 'drizzle-orm'
import { scopeOf } from '../../src/accounts/scope.ts'
import type { AccountContext } from '../../src/api/context.ts'
import type { Dependencies } from '../../src/app/dependencies.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { creditPayment } from '../../src/resources/billing/credit.ts'
import { reserve, settle, type TurnEstimate, type Usage } from '../../src/resources/billing/spend.ts'
import { type Currency, holds, ledger, wallets } from '../../src/resources/billing/table.ts'
import { modelPrices } from '../../src/resources/catalogue/table.ts'
import { type BillingMode, workspaces } from '../../src/resources/workspaces/table.ts'
import { newUser, type TestUser, type UserOptions } from '../support/app.ts'

export interface Services {
  database: DatabaseHandle
  services: Dependencies
}

/** What a service gets for a request of this user. */
export async function contextOf({ services }: Services, { token }: TestUser): Promise<AccountContext> {
  const account = await services.authenticate(token)
  if (!account) throw new Error('no account')
  return {
    ...services,
    requestId: 'test',
    authorization: null,
    address: 'test',
    origin: null,
    signal: new AbortController().signal,
    idempotencyId: undefined,
    outcome: {},
    account,
    scope: scopeOf(account),
    meta: {},
  }
}

/** The owner of a workspace that is billed. */
export async function newPayer(app: Services, billing: BillingMode, options: UserOptions = {}): Promise<TestUser> {
  const user = await newUser(app.database, options)
  await app.database.db
    .update(workspaces)
    .set({ billing, ownerId: user.userId })
    .where(eq(workspaces.id, user.workspaceId))
  return user
}

/** Another member of the payer's workspace. */
export const newMember = ({ database }: Services, { workspaceId, resellerId }: TestUser) =>
  newUser(database, { workspaceId, resellerId, workspaceRole: 'editor' })

/** Puts micro-dollars or tokens into the user's wallet. */
export async function credit({ database }: Services, user: TestUser, currency: Currency, amount: number) {
  const { workspaceId, userId } = user
  const paymentId = crypto.randomUUID()
  await database.db.transaction((tx) =>
    creditPayment(tx, { workspaceId, currency, amount, paymentId, userId, tokenId: 1 }),
  )
}

/** A model of its own, with this price. */
export async function newModel({ database }: Services, prompt: number, completion: number): Promise<string> {
  const model = `model-${crypto.randomUUID()}`
  await database.db
    .insert(modelPrices)
    .values({ model, promptUsdPerMillion: prompt, completionUsdPerMillion: completion })
  return model
}

export const turnOf = (
  user: TestUser,
  model: string,
  promptTokens: number,
  completionTokens: number,
): TurnEstimate => ({
  payerWorkspaceId: user.workspaceId,
  model,
  estimate: { promptTokens, completionTokens },
  turnId: crypto.randomUUID(),
})

/** A whole turn: reserves, and settles what was used. */
export async function spend(ctx: AccountContext, turn: TurnEstimate, used: Usage = turn.estimate) {
  const hold = await reserve(ctx, turn)
  return ctx.db.transaction((tx) => settle(tx, hold, used))
}

/** Everything that is stored of the user's wallet in one currency. */
export async function stored({ database: { db } }: Services, { workspaceId }: TestUser, currency: Currency) {
  const [wallet] = await db
    .select({ balance: wallets.balance, held: wallets.held })
    .from(wallets)
    .where(and(eq(wallets.workspaceId, workspaceId), eq(wallets.currency, currency)))
  const entries = await db
    .select()
    .from(ledger)
    .where(and(eq(ledger.workspaceId, workspaceId), eq(ledger.currency, currency)))
    .orderBy(ledger.id)
  const open = await db
    .select({ amount: holds.amount })
    .from(holds)
    .where(and(eq(holds.workspaceId, workspaceId), eq(holds.currency, currency)))
  return {
    balance: wallet?.balance,
    held: wallet?.held,
    holds: open.map(({ amount }) => amount),
    deltas: entries.map(({ delta }) => delta),
    entries,
  }
}
