import type { Dependencies } from '../../../src/app/dependencies.ts'
import { ledger } from '../../../src/resources/billing/table.ts'

const dayMs = 86_400_000

/** A month of turns with two models that cost something, beside those of the built-in one, which is free. */
export async function addMonthOfCharges({ db, clock }: Dependencies, workspaceId: number): Promise<void> {
  const rows = Array.from({ length: 30 }, (_, day) =>
    ['gpt-5-mini', 'gpt-5'].map((model, index) => {
      const promptTokens = 9_000 + ((day * 7_919 + index * 4_421) % 24_000)
      const completionTokens = Math.round(promptTokens / 6)
      return {
        workspaceId,
        currency: 'usd' as const,
        kind: 'charge' as const,
        delta: -Math.round((promptTokens * (0.25 + index) + completionTokens * (2 + index * 8)) * (index + 1)),
        turnId: crypto.randomUUID(),
        model,
        promptTokens,
        completionTokens,
        createdAt: new Date(clock.now().getTime() - day * dayMs),
      }
    }),
  )
  await db.insert(ledger).values(rows.flat())
}

/** Charges as values of the ledger, many at once. */
export async function addCharges({ db }: Dependencies, rows: readonly (typeof ledger.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) await db.insert(ledger).values(rows.slice(from, from + 500))
}
