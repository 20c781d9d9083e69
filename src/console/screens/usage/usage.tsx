import { Alert, Badge, Card, Skeleton, Table, Text, Title } from '@mantine/core'
import { IconReceipt2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../../api/client.ts'
import { waited } from '../../api/reach.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Figure } from '../../parts/figure.tsx'
import { formatCount, formatTime, formatUsd } from '../../parts/format.ts'
import { NextPager } from '../../parts/next-pager.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'

const Spend = lazy(waited(() => import('./spend.tsx')))
const route = getRouteApi('/usage')
const colors = { credit: 'teal', charge: 'gray', adjust: 'yellow' } as const

/** What the workspace has to spend on agents, and every change of it. */
export function UsageScreen() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const usage = useQuery(api.usage.get.queryOptions({}))
  const ledger = useQuery(api.usage.ledger.queryOptions({ page }, { placeholderData: keepPreviousData }))
  const error = usage.error ?? ledger.error
  return (
    <Page title="Usage" about="The prepaid balance that agents spend.">
      {error && <Failed error={error} retry={() => Promise.all([usage.refetch(), ledger.refetch()])} />}
      {!usage.data && !error && <Skeleton h={120} />}
      {usage.data && !usage.data.billing_active && (
        <Alert>This workspace is not billed: agents may be used without a balance.</Alert>
      )}
      {usage.data && (
        <div className="figures">
          <Figure
            name="Balance"
            value={
              usage.data.balance_usd !== null
                ? formatUsd(usage.data.balance_usd)
                : usage.data.balance_tokens !== null
                  ? `${formatCount(usage.data.balance_tokens)} tokens`
                  : 'Not billed'
            }
            note="Holds of running turns are still in it"
          />
          <Figure name="Your agents" value={formatCount(usage.data.agents)} />
          <Figure name="Chats of this token" value={formatCount(usage.data.chats)} />
        </div>
      )}
      {usage.data?.billing_active && (
        <Suspense fallback={<Skeleton h={260} />}>
          <Spend />
        </Suspense>
      )}
      {ledger.data && (
        <Card padding={0}>
          <Title order={2} size="h5" p="md">
            Ledger
          </Title>
          {ledger.data.data.length === 0 && page === 1 && (
            <Empty icon={<IconReceipt2 size={28} />} title="Nothing was credited or charged">
              An operator credits a workspace under Administration. Then every turn of an agent is charged here.
            </Empty>
          )}
          {ledger.data.data.length > 0 && (
            <Rows>
              <Table miw={640}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>When</Table.Th>
                    <Table.Th>Kind</Table.Th>
                    <Table.Th>For</Table.Th>
                    <Table.Th ta="right">Tokens of the turn</Table.Th>
                    <Table.Th ta="right">Amount</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {ledger.data.data.map((entry) => (
                    <Table.Tr key={entry.id}>
                      <Table.Td>{formatTime(entry.created_at)}</Table.Td>
                      <Table.Td>
                        <Badge color={colors[entry.kind]}>{entry.kind}</Badge>
                      </Table.Td>
                      <Table.Td maw={220}>
                        <Text size="sm" truncate>
                          {entry.model ?? entry.payment_id ?? ''}
                        </Text>
                      </Table.Td>
                      <Table.Td ta="right" className="numbers">
                        {entry.prompt_tokens !== null &&
                          formatCount(entry.prompt_tokens + (entry.completion_tokens ?? 0))}
                      </Table.Td>
                      <Table.Td ta="right" className="numbers">
                        {entry.amount_usd !== null
                          ? formatUsd(entry.amount_usd)
                          : `${formatCount(entry.amount_tokens ?? 0)} tokens`}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Rows>
          )}
          <NextPager
            page={page}
            hasMore={ledger.data.has_more}
            isEmpty={ledger.data.data.length === 0}
            onChange={(next, replace) => navigate({ search: { page: next }, replace })}
          />
        </Card>
      )}
    </Page>
  )
}
