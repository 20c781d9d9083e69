import { z } from 'zod'
import { clearable, dataOf, integerId, requiredText } from '../../api/schemas.ts'

/** What a workspace can spend; the currency that it does not have is null (contract: billing 2). */
export const Balance = z
  .object({
    balance_usd: z.number().nullable().meta({ description: 'At most 6 decimals.' }),
    balance_tokens: z.int().nullable(),
  })
  .meta({ id: 'Balance' })

/** The smallest amount of money that is kept. */
export const microUsd = 0.000_001

export const CreateCreditInput = z.object({
  id: integerId,
  payment_id: requiredText(255).meta({ description: 'The payment behind it: it is credited once.' }),
  amount_usd: clearable(z.number().min(microUsd).max(1_000_000).multipleOf(microUsd)).meta({
    description: 'Either this or `tokens`.',
    examples: [25],
  }),
  tokens: clearable(z.int().min(1).max(1_000_000_000_000)).meta({ description: 'Either this or `amount_usd`.' }),
})

export const BalanceResponse = dataOf(Balance)
