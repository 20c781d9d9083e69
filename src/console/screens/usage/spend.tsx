import { BarChart } from '@mantine/charts'
import { Card, Group, Select, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { formatCount, formatDay, formatUsd } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'

type Sums = Awaited<ReturnType<typeof client.usage.spend.query>>
type Day = Sums['by_day'][number]
type Summed = Pick<Day, 'amount_usd' | 'amount_tokens' | 'turns'>

const shades = ['indigo.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.6']
const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '366', label: 'Last year' },
]
const dayMs = 86_400_000

const amountOf = ({ amount_usd, amount_tokens }: Summed) => amount_usd ?? amount_tokens ?? 0
const formatted = ({ amount_usd, amount_tokens }: Summed) =>
  amount_usd !== null ? formatUsd(amount_usd) : `${formatCount(amount_tokens ?? 0)} tokens`

/** Every day of the period with what each model cost, so that days without a turn are seen. */
function barsOf({ period, by_day }: Sums) {
  const bars: Record<string, string | number>[] = []
  const last = Date.parse(period.to)
  for (let at = Date.parse(period.from); at <= last; at += dayMs) {
    const date = new Date(at).toISOString().slice(0, 10)
    const rows = by_day.filter((row) => row.date === date)
    bars.push({
      date: formatDay(date),
      ...Object.fromEntries(rows.map((row) => [row.model ?? 'other', amountOf(row)])),
    })
  }
  return bars
}

/** What was spent in a period: by day and model, by model, and by agent. Nothing while the workspace is not billed. */
export default function Spend() {
  const [days, setDays] = useState('30')
  const from = new Date(Date.now() - (Number(days) - 1) * dayMs).toISOString().slice(0, 10)
  const { data, error, refetch } = useQuery(
    api.usage.spend.queryOptions({ from }, { placeholderData: keepPreviousData }),
  )
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={260} />
  if (data.total_usd === null && data.total_tokens === null) return null
  const total = formatted({ amount_usd: data.total_usd, amount_tokens: data.total_tokens, turns: 0 })
  return (
    <>
      <Card>
        <Group justify="space-between" mb="md">
          <div>
            <Title order={2} size="h5">
              Spend by day and model
            </Title>
            <Text size="sm" c="dimmed" className="numbers">
              {total} in all
            </Text>
          </div>
          <Select
            aria-label="Period"
            data={periods}
            value={days}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? '30')}
            w={160}
          />
        </Group>
        {(data.total_usd ?? data.total_tokens) === 0 ? (
          <Text c="dimmed">
            {data.by_day.length === 0
              ? 'Nothing was charged in this period.'
              : 'The models of this period cost nothing.'}
          </Text>
        ) : (
          <BarChart
            h={220}
            data={barsOf(data)}
            dataKey="date"
            type="stacked"
            withLegend
            series={data.by_model.map(({ model }, index) => ({
              name: model ?? 'other',
              color: shades[index % shades.length] ?? 'gray.6',
            }))}
          />
        )}
      </Card>
      {data.by_day.length > 0 && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Table title="By model" rows={data.by_model.map((row) => ({ ...row, key: row.model ?? 'other' }))} />
          <Table
            title="By agent"
            rows={data.by_agent.map((row) => ({ ...row, key: row.name ?? row.agent_id ?? 'All else' }))}
          />
        </SimpleGrid>
      )}
    </>
  )
}

type Row = Summed & { key: string }

function Table({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <Card padding={0}>
      <Title order={2} size="h5" p="md">
        {title}
      </Title>
      <Listing
        list={{ data: { data: rows } }}
        columns={[
          { head: 'Name', maxWidth: 240, cell: ({ key }: Row) => key },
          { head: 'Turns', align: 'right', numbers: true, cell: ({ turns }) => formatCount(turns) },
          { head: 'Amount', align: 'right', numbers: true, cell: (row: Row) => formatted(row) },
        ]}
        id={({ key }: Row) => key}
        minWidth={320}
      />
    </Card>
  )
}
