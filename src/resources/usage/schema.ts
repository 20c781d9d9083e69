import { z } from 'zod'
import { isoTime } from '../../api/schemas.ts'
import { listQuery, pagedListOf } from '../agents/responses.ts'
import { entryKinds } from '../billing/table.ts'

/** Balance and counts (contract: billing 2). */
export const UsageResponse = z
  .object({
    object: z.literal('usage'),
    billing_active: z.boolean(),
    balance_tokens: z.int().nullable(),
    balance_usd: z.number().nullable().meta({ description: 'At most 6 decimals.' }),
    agents: z.int().min(0).meta({ description: "The caller's own agents." }),
    chats: z.int().min(0).meta({ description: "The chats of the caller's token." }),
  })
  .meta({
    id: 'Usage',
    description:
      'Both balances are null when prepaid billing is not active, and that of the other currency always is. Money that running turns hold is still in it.',
  })

export const LedgerQuery = z.object(listQuery)

const perMillion = z.number().nullable().meta({ description: 'The price when the turn began.' })

/** A change of the balance (contract: billing 6). */
export const LedgerEntry = z
  .object({
    id: z.int(),
    object: z.literal('ledger_entry'),
    kind: z.enum(entryKinds),
    amount_usd: z.number().nullable().meta({ description: 'Added to the balance: negative for a charge.' }),
    amount_tokens: z.int().nullable(),
    payment_id: z.string().nullable(),
    turn_id: z.string().nullable(),
    model: z.string().nullable(),
    prompt_tokens: z.int().nullable(),
    completion_tokens: z.int().nullable(),
    prompt_usd_per_million: perMillion,
    completion_usd_per_million: perMillion,
    user_id: z.int().nullable().meta({
      description: "Who spent or credited it; null for websites' visitors, simulated calls and memory.",
    }),
    token_id: z.int().nullable(),
    created_at: isoTime,
  })
  .meta({
    id: 'LedgerEntry',
    description:
      'A charge is the tokens that a turn used times the price, rounded up to a whole micro-dollar; on a token balance one for one. A model whose price is 0 costs nothing.',
  })

export const LedgerPage = pagedListOf(LedgerEntry)
