import { plainResponse } from '../../api/agents-envelope.ts'
import { dataResponse } from '../../api/envelope.ts'
import { get, put } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import {
  AgentBudgetPath,
  AgentBudgetResponse,
  PutAgentBudgetInput,
  PutTokenBudgetInput,
  TokenBudgetPath,
  TokenBudgetResponse,
} from './schema.ts'
import { getAgentBudget, getTokenBudget, putAgentBudget, putTokenBudget } from './service.ts'

const ofAgent = {
  tag: 'Agents',
  document: 'agents',
  feature: 'ai_chat',
  extension: true,
  errors: ['agent_owner_only'],
} as const
const ofToken = { tag: 'Tokens', document: 'accounts', extension: true, ids: { id: 'token_not_found' } } as const

/** Limits of what turns may use, per agent and per token. */
export const budgetsRouter = router({
  getOfAgent: workspaceProcedure
    .meta(get('/agents/{agent_id}/budget', "Get an agent's budget", { ...ofAgent, errors: [...ofAgent.errors] }))
    .input(AgentBudgetPath)
    .output(AgentBudgetResponse)
    .query(({ ctx, input }) => plainResponse(getAgentBudget(ctx, input))),

  putOfAgent: workspaceProcedure
    .meta(
      put('/agents/{agent_id}/budget', 'Limit what an agent may use', {
        example: { request: { window: 'day', tokens: 100_000 } },
        ...ofAgent,
        matches: ['budgets.getOfAgent'],
        errors: [...ofAgent.errors, 'agent_budget_by_budgeted'],
      }),
    )
    .input(PutAgentBudgetInput)
    .output(AgentBudgetResponse)
    .mutation(({ ctx, input }) => plainResponse(putAgentBudget(ctx, input))),

  getOfToken: workspaceProcedure
    .meta(get('/user/tokens/{id}/budget', "Get a token's budget", ofToken))
    .input(TokenBudgetPath)
    .output(TokenBudgetResponse)
    .query(({ ctx, input }) => dataResponse(getTokenBudget(ctx, input))),

  putOfToken: workspaceProcedure
    .meta(
      put('/user/tokens/{id}/budget', 'Limit what a token may use', {
        ...ofToken,
        matches: ['budgets.getOfToken'],
        errors: ['own_budget', 'budget_by_budgeted'],
        description: 'Call it with another token than the one that is limited, which has no budget itself.',
      }),
    )
    .input(PutTokenBudgetInput)
    .output(TokenBudgetResponse)
    .mutation(({ ctx, input }) => dataResponse(putTokenBudget(ctx, input))),
})
