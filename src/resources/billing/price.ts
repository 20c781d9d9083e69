import { eq, sql } from 'drizzle-orm'
import { validationError } from '../../api/errors/api-error.ts'
import type { Database } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import type { Usage } from '../../language-model/allowance.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import { modelPrices } from '../catalogue/table.ts'
import type { Currency } from './table.ts'

export type { Usage } from '../../language-model/allowance.ts'

/** What a model costs. */
export interface Price {
  promptUsdPerMillion: number
  completionUsdPerMillion: number
}

export const free: Price = { promptUsdPerMillion: 0, completionUsdPerMillion: 0 }

const findPrice = preparedQuery('billing_price', (db, name) =>
  db
    .select({
      promptUsdPerMillion: modelPrices.promptUsdPerMillion,
      completionUsdPerMillion: modelPrices.completionUsdPerMillion,
    })
    .from(modelPrices)
    .where(eq(modelPrices.model, sql.placeholder('model')))
    .prepare(name),
)

/** A model's price, or undefined when it has none, or a negative one. */
export async function priceOf(db: Database, model: string): Promise<Price | undefined> {
  if (model === localModelId) return free
  const [price] = await findPrice(db).execute({ model })
  return price && price.promptUsdPerMillion >= 0 && price.completionUsdPerMillion >= 0 ? price : undefined
}

/** A model's price. Throws 422 on `model` when it has none (contract: models 4). */
export async function requirePrice(db: Database, model: string): Promise<Price> {
  const price = await priceOf(db, model)
  if (price) return price
  throw validationError({ model: [`The model ${model} has no price, so a prepaid balance cannot pay for it.`] })
}

const scale = 1_000_000

/** A price of one dollar per million tokens is one micro-dollar per token; these are its millionths. */
const unit = (usdPerMillion: number) => BigInt(Math.round(usdPerMillion * scale))

const isFree = ({ promptUsdPerMillion, completionUsdPerMillion }: Price) =>
  promptUsdPerMillion === 0 && completionUsdPerMillion === 0

/** A count that a model server made up is no credit. */
const count = (tokens: number) => BigInt(Math.max(0, Math.ceil(tokens)))

/**
 * What a turn costs: micro-dollars, rounded up to a whole one per turn, or tokens, one for one. Prices count to
 * 6 decimals. A model whose price is 0 costs nothing in either currency; what it counts in a budget is the budget's
 * matter.
 */
export function costOf(currency: Currency, price: Price, usage: Usage): number {
  if (isFree(price)) return 0
  const [prompt, completion] = [count(usage.promptTokens), count(usage.completionTokens)]
  if (currency === 'tokens') return Number(prompt + completion)
  const exact = prompt * unit(price.promptUsdPerMillion) + completion * unit(price.completionUsdPerMillion)
  return Number((exact + BigInt(scale - 1)) / BigInt(scale))
}

/** How many completion tokens `amount` pays for besides the prompt: below 0 when not even the prompt, or Infinity. */
export function completionWithin(amount: number, currency: Currency, price: Price, promptTokens: number): number {
  if (isFree(price)) return Number.POSITIVE_INFINITY
  if (currency === 'tokens') return amount - promptTokens
  const left = BigInt(amount) * BigInt(scale) - count(promptTokens) * unit(price.promptUsdPerMillion)
  const each = unit(price.completionUsdPerMillion)
  if (left < 0n) return -1
  return each === 0n ? Number.POSITIVE_INFINITY : Number(left / each)
}
