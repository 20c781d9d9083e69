import type { Transaction } from '../../db/client.ts'
import type { Allowance } from '../../language-model/allowance.ts'
import { keepingHolds } from './keep.ts'
import { isOutOfFunds } from './payer.ts'
import { allowanceOf } from './raise.ts'
import { type Hold, release, reserve, type Spender, settle, type TurnEstimate, type Usage } from './spend.ts'

/** A use of a model, with the least that it can do with where its estimate cannot be paid for. */
interface PaidTurn extends TurnEstimate {
  least?: Usage | undefined
}

async function reserveEnough(spender: Spender, { least, ...turn }: PaidTurn): Promise<{ hold: Hold; held: Usage }> {
  try {
    return { hold: await reserve(spender, turn), held: turn.estimate }
  } catch (error) {
    if (!least || !isOutOfFunds(error)) throw error
    return { hold: await reserve(spender, { ...turn, estimate: least }), held: least }
  }
}

/**
 * The gate that every use of a language model passes: sets aside what it may cost, runs it within that, and charges
 * what it used. A use that fails costs nothing.
 * @param use runs the model within its allowance
 * @param store keeps the result, and settles the hold in the same transaction
 * Throws 402, 422 on `model` and 429 of billing, and whatever `use` and `store` throw.
 */
export async function paidUse<Result, Stored>(
  spender: Spender,
  turn: PaidTurn,
  use: (allowance: Allowance) => Promise<Result>,
  store: (result: Result, hold: Hold) => Promise<Stored>,
): Promise<Stored> {
  const { hold, held } = await reserveEnough(spender, turn)
  const allowance = allowanceOf(spender.db, hold, held)
  const run = async () => store(await use(allowance), hold)
  try {
    if (!hold.reserved && !hold.budgeted) return await run()
    return await keepingHolds(spender, hold.turnId, run)
  } catch (error) {
    await allowance.end()
    await release(spender, hold)
    throw error
  }
}

/** The `store` of a result that is kept nowhere. */
export const chargeOnly =
  ({ db }: Spender) =>
  async <Result extends { usage: Usage }>(result: Result, hold: Hold): Promise<Result> => {
    await db.transaction((tx) => settle(tx, hold, result.usage))
    return result
  }

/**
 * The `store` of a result that is charged only if it is kept, in one transaction.
 * @param keep returns false where nothing came of it; the result is undefined then
 */
export const chargeKept =
  <Result extends { usage: Usage }>(spender: Spender, keep: (tx: Transaction, result: Result) => Promise<boolean>) =>
  async (result: Result, hold: Hold): Promise<Result | undefined> => {
    const isKept = await spender.db.transaction(async (tx) => {
      if (!(await keep(tx, result))) return false
      await settle(tx, hold, result.usage)
      return true
    })
    if (isKept) return result
    await release(spender, hold)
    return undefined
  }
