import { Card, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, client, queryClient } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { Failed } from '../../parts/failed.tsx'
import { useMayWrite } from '../../session/access.tsx'
import { BudgetForm, Used } from '../budgets/budget.tsx'
import type { AgentTabProps } from './tabs.ts'

/** What all who use the agent may spend on it together; only its owner sees this. */
export default function AgentBudget({ agent }: AgentTabProps) {
  const agent_id = agent.id
  const mayWrite = useMayWrite('ai_chat')
  const { data, error, refetch } = useQuery(api.budgets.getOfAgent.queryOptions({ agent_id }))
  if (statusOf(error) === 403) return <Card>This agent is shared with you. Its owner decides what it may use.</Card>
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={160} />
  return (
    <Card>
      <Stack>
        <Used budget={data.data} />
        {mayWrite && (
          <BudgetForm
            budget={data.data}
            read={() => client.budgets.getOfAgent.query({ agent_id })}
            put={(limits) => client.budgets.putOfAgent.mutate({ agent_id, ...limits })}
            onSaved={() => queryClient.invalidateQueries(api.budgets.getOfAgent.queryFilter({ agent_id }))}
          />
        )}
      </Stack>
    </Card>
  )
}
