import { z } from 'zod'
import { responseSchema } from '../../api/response-schema.ts'
import { dataOf, integerId, isoTime, requiredError, uuidId } from '../../api/schemas.ts'
import { microUsd } from '../billing/schema.ts'
import { budgetWindows } from './table.ts'

const limits = {
  window: z
    .enum(budgetWindows, { error: requiredError })
    .meta({ description: 'The calendar window (UTC) after which it begins anew.' }),
  tokens: z.int().min(0).max(1_000_000_000_000).nullable().meta({ description: 'The most tokens; null: no limit.' }),
  usd: z.number().min(0).max(1_000_000_000).nullable().meta({ description: 'The most money; null: no limit.' }),
}

/** What an agent or a token may use in a calendar window, and has used. */
export const Budget = z
  .object({
    ...responseSchema(z.object(limits)).shape,
    window: limits.window.nullable(),
    used_tokens: z.int().nullable(),
    used_usd: z.number().nullable(),
    window_start: isoTime.nullable(),
  })
  .meta({ id: 'Budget', description: 'Null throughout: there is no limit.' })

export const AgentBudgetPath = z.object({ agent_id: uuidId })
export const TokenBudgetPath = z.object({ id: integerId })
/** What would be kept as 0 is none of the limits that it asks for. */
const usd = limits.usd.refine((value) => !value || value >= microUsd, {
  error: 'The usd field must be 0 or at least 0.000001.',
})
const input = { window: limits.window, tokens: limits.tokens.default(null), usd: usd.default(null) }
export const PutAgentBudgetInput = AgentBudgetPath.extend(input)
export const PutTokenBudgetInput = TokenBudgetPath.extend(input)
/** As agent endpoints respond, and as those of tokens do. */
export const AgentBudgetResponse = z.object({ data: Budget })
export const TokenBudgetResponse = dataOf(Budget)
