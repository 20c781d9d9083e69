import { Alert, Drawer, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, client, queryClient } from '../../../api/client.ts'
import { Failed } from '../../../parts/failed.tsx'
import { mayLeave } from '../../../parts/unsaved.ts'
import { useMayWriteOwn } from '../../../session/access.tsx'
import { BudgetForm, Used } from '../../budgets/budget.tsx'
import { sayUsed } from '../../budgets/used.ts'
import { isCurrent, type Token } from './token.ts'

/** What is used of a token's limits, in a line each. */
export function TokenUse({ id }: { id: number }) {
  const { data } = useQuery(api.budgets.getOfToken.queryOptions({ id }))
  if (!data) return null
  const used = sayUsed(data.data)
  if (used.length === 0) return 'No limit'
  return used.map(({ text }) => <div key={text}>{text}</div>)
}

interface TokenBudgetProps {
  token: Token
  onClose: () => void
}

/** What a token may use, with its form. */
export function TokenBudget({ token, onClose }: TokenBudgetProps) {
  const { id, name } = token
  const mayWrite = useMayWriteOwn()
  const { data, error, refetch } = useQuery(api.budgets.getOfToken.queryOptions({ id }))
  return (
    <Drawer opened onClose={() => mayLeave() && onClose()} position="right" size="md" title={`Budget of ${name}`}>
      <Stack>
        <Text size="sm" c="dimmed">
          What agents and test calls may use that are asked with this token.
        </Text>
        {error && !data && <Failed error={error} retry={refetch} />}
        {!data && !error && <Skeleton h={160} />}
        {data && <Used budget={data.data} />}
        {data && mayWrite && isCurrent(token) && (
          <Alert>You are signed in with this token, and none sets its own budget: sign in with another one.</Alert>
        )}
        {data && mayWrite && !isCurrent(token) && (
          <BudgetForm
            budget={data.data}
            read={() => client.budgets.getOfToken.query({ id })}
            put={(limits) => client.budgets.putOfToken.mutate({ id, ...limits })}
            onSaved={() => queryClient.invalidateQueries(api.budgets.getOfToken.queryFilter({ id }))}
          />
        )}
      </Stack>
    </Drawer>
  )
}
