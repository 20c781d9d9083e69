import { z } from 'zod'
import { listQuery, walkedListOf } from '../../api/agents-envelope.ts'
import { calendarDay, isoTime } from '../../api/schemas.ts'
import { entryKinds, purposes } from '../billing/table.ts'

/** Balance and counts (contract: billing 2). */
export const UsageResponse = z
  .object({
    object: z.literal('usage'),
    billing_active: z.boolean(),
    balance_tokens: z.int().nullable(),
    balance_usd: z.number().nullable().meta({ description: 'At most 6 decimals.' }),
    agents: z.int().meta({ description: "The caller's own agents." }),
    chats: z.int().meta({ description: "The chats of the caller's token, of agents that the caller may talk to." }),
  })
  .meta({
    id: 'Usage',
    description:
      'Both balances are null when prepaid billing is not active, and that of the other currency always is. Money that running turns hold is still in it.',
  })

const dayMeta = { format: 'date', examples: ['2026-01-31'] }
const day = z.string().meta(dayMeta)
const asked = calendarDay.meta(dayMeta)

export const SpendQuery = z.object({
  from: asked.optional().meta({ description: 'The first day (UTC). Default: the 30 days that end with `to`.' }),
  to: asked.optional().meta({ description: 'The last day. Default: today.' }),
})

const summed = {
  amount_usd: z.number().nullable(),
  amount_tokens: z.int().nullable(),
  turns: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
}
const model = z.string().nullable()

/** What was charged, summed (contract: billing 15). */
export const Spend = z
  .object({
    object: z.literal('spend'),
    period: z.object({ from: day, to: day }),
    total_usd: z.number().nullable(),
    total_tokens: z.int().nullable(),
    by_day: z.array(z.object({ date: day, model, ...summed })).meta({ description: 'Oldest first, at most 5,000.' }),
    by_model: z.array(z.object({ model, ...summed })).meta({ description: 'The dearest first, at most 100.' }),
    by_agent: z.array(z.object({ agent_id: z.string().nullable(), name: z.string().nullable(), ...summed })).meta({
      description:
        "The dearest first, at most 100: the caller's own agents, and as null all else that was charged together.",
    }),
  })
  .meta({
    id: 'Spend',
    description: 'In the currency that the workspace is billed in; both totals are null while it is not billed.',
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
    purpose: z.enum(purposes).nullable().meta({
      description:
        "What was charged: a turn, what an agent remembers, a long chat's summary, a reply of an assistant, or embeddings of passages and searches. Null for credits and for charges from before this was kept.",
    }),
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

export const LedgerPage = walkedListOf(LedgerEntry)
