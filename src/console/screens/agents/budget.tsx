import { Card, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, client, queryClient } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { BudgetForm, Used } from '../budgets/budget.tsx'
import type { AgentTabProps } from './tabs.ts'

/** What all who use the agent may spend on it together; only its owner sees this. */
export default function AgentBudget({ agent, may }: AgentTabProps) {
  const agent_id = agent.id
  const { data, error, refetch } = useQuery(api.budgets.getOfAgent.queryOptions({ agent_id }))
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={160} />
  return (
    <Card>
      <Stack>
        <Used budget={data.data} />
        {may.own && (
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
