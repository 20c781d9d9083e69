import { Alert, Badge, Card, Skeleton, Text, Title } from '@mantine/core'
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
import { Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'

const Spend = lazy(waited(() => import('./spend.tsx')))
const route = getRouteApi('/usage')
const colors = { credit: 'teal', charge: 'gray', adjust: 'yellow' } as const

/** What the workspace has to spend on agents, and every change of it. */
export function UsageScreen() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const usage = useQuery(api.usage.get.queryOptions({}))
  const ledger = useQuery(api.usage.ledger.queryOptions({ page }, { placeholderData: keepPreviousData }))
  return (
    <Page title="Usage" about="The prepaid balance that agents spend.">
      {usage.error && !usage.data && <Failed error={usage.error} retry={usage.refetch} />}
      {usage.isPending && <Skeleton h={120} />}
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
            note={usage.data.billing_active && 'Holds of running turns are still in it'}
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
      <Card padding={0}>
        <Title order={2} size="h5" p="md">
          Ledger
        </Title>
        <Listing
          list={ledger}
          empty={
            <Empty icon={<IconReceipt2 size={28} />} title="Nothing was credited or charged">
              An operator credits a workspace under Administration. Then every turn of an agent is charged here.
            </Empty>
          }
          columns={[
            { head: 'When', numbers: true, cell: ({ created_at }) => formatTime(created_at) },
            { head: 'Kind', cell: ({ kind }) => <Badge color={colors[kind]}>{kind}</Badge> },
            {
              head: 'For',
              maxWidth: 220,
              cell: ({ model, payment_id }) => (
                <Text size="sm" truncate>
                  {model ?? payment_id ?? ''}
                </Text>
              ),
            },
            {
              head: 'Tokens of the turn',
              align: 'right',
              numbers: true,
              cell: ({ prompt_tokens, completion_tokens }) =>
                prompt_tokens !== null && formatCount(prompt_tokens + (completion_tokens ?? 0)),
            },
            {
              head: 'Amount',
              align: 'right',
              numbers: true,
              cell: ({ amount_usd, amount_tokens }) =>
                amount_usd !== null ? formatUsd(amount_usd) : `${formatCount(amount_tokens ?? 0)} tokens`,
            },
          ]}
          id={({ id }) => id}
          minWidth={640}
          page={page}
          onPage={(next, replace) => navigate({ search: { page: next }, replace })}
        />
      </Card>
    </Page>
  )
}
