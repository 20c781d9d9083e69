import { and, eq, gt, sql } from 'drizzle-orm'
import { scopeOf } from '../../src/accounts/scope.ts'
import type { AccountContext } from '../../src/api/context.ts'
import type { Dependencies } from '../../src/app/dependencies.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { creditPayment } from '../../src/resources/billing/credit.ts'
import { reserve, settle, type TurnEstimate, type Usage } from '../../src/resources/billing/spend.ts'
import { type Currency, holds, ledger, wallets } from '../../src/resources/billing/table.ts'
import { budgetHolds, budgets } from '../../src/resources/budgets/table.ts'
import { modelPrices } from '../../src/resources/catalogue/table.ts'
import { type BillingMode, workspaces } from '../../src/resources/workspaces/table.ts'
import { newUser, type TestUser, type UserOptions } from './app.ts'

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
  await setPrice({ database }, model, prompt, completion)
  return model
}

/** Gives a model this price in micro-dollars a token, whatever it had before. */
export async function setPrice(
  { database }: Pick<Services, 'database'>,
  model: string,
  prompt: number,
  completion: number,
) {
  const price = { promptUsdPerMillion: prompt, completionUsdPerMillion: completion }
  await database.db
    .insert(modelPrices)
    .values({ model, ...price })
    .onConflictDoUpdate({ target: modelPrices.model, set: price })
}

export const dropPrice = ({ database }: Pick<Services, 'database'>, model: string) =>
  database.db.delete(modelPrices).where(eq(modelPrices.model, model))

/** Takes all that a workspace has. */
export const emptyWallet = ({ database }: Services, { workspaceId }: TestUser) =>
  database.db.update(wallets).set({ balance: 0 }).where(eq(wallets.workspaceId, workspaceId))

/** The money that is set aside for turns of a workspace. */
export const openHolds = ({ db }: DatabaseHandle, workspaceId: number) =>
  db.select().from(holds).where(eq(holds.workspaceId, workspaceId))

/** What a workspace paid and was charged, in every currency. */
export const chargesOf = ({ db }: DatabaseHandle, workspaceId: number) =>
  db.select().from(ledger).where(eq(ledger.workspaceId, workspaceId)).orderBy(ledger.id)

/** What is set aside for a turn whose time has not run out. */
export const runningHolds = ({ db }: Pick<DatabaseHandle, 'db'>, turnId: string) =>
  db
    .select()
    .from(holds)
    .where(and(eq(holds.turnId, turnId), gt(holds.expiresAt, sql`now()`)))

/** A charge of another time, of an agent where one is given, for 10 tokens of a prompt and 5 of its completion. */
export const addCharge = (
  { database }: Services,
  { workspaceId }: TestUser,
  charge: { model: string; micros: number; currency: Currency; at: Date; agentId?: number },
) =>
  database.db.insert(ledger).values({
    workspaceId,
    currency: charge.currency,
    kind: 'charge',
    delta: -charge.micros,
    turnId: crypto.randomUUID(),
    model: charge.model,
    agentId: charge.agentId,
    promptTokens: 10,
    completionTokens: 5,
    createdAt: charge.at,
  })

/** The budget of an agent or token as it is stored, or undefined. */
export async function storedBudget({ db }: DatabaseHandle, of: { agentId: number } | { tokenId: number }) {
  const mine = 'agentId' in of ? eq(budgets.agentId, of.agentId) : eq(budgets.tokenId, of.tokenId)
  const [row] = await db.select().from(budgets).where(mine)
  return row
}

/** Lets what a turn holds of budgets outlive its time. */
export const expireBudgetHolds = ({ db }: DatabaseHandle, turnId: string) =>
  db
    .update(budgetHolds)
    .set({ expiresAt: new Date(0) })
    .where(eq(budgetHolds.turnId, turnId))

/** Lets the window of an agent's budget have begun long ago. */
export const ageBudget = ({ db }: DatabaseHandle, agentId: number) =>
  db
    .update(budgets)
    .set({ windowStart: new Date('2020-01-01T00:00:00.000Z') })
    .where(eq(budgets.agentId, agentId))

/** Lets what was set aside, for one turn or all, outlive its time. */
export const expireHolds = ({ db }: Pick<DatabaseHandle, 'db'>, turnId?: string) =>
  db
    .update(holds)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(turnId === undefined ? undefined : eq(holds.turnId, turnId))

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
