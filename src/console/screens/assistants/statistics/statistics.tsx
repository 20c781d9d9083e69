import { BarChart, DonutChart } from '@mantine/charts'
import { Card, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { Failed } from '../../../parts/failed.tsx'
import { Figure } from '../../../parts/figure.tsx'
import { formatCount, formatDay, formatLength, formatUsd, formatWord } from '../../../parts/format.ts'
import type { TabProps } from '../tabs.ts'

const colors = {
  completed: 'teal.6',
  transferred: 'cyan.6',
  voicemail: 'grape.6',
  not_reached: 'gray.6',
  timed_out: 'yellow.6',
  canceled: 'orange.6',
  error: 'red.6',
}

const dayMs = 86_400_000
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The assistant's calls in numbers. */
export default function StatisticsTab({ assistant }: TabProps) {
  const [days, setDays] = useState('30')
  const from = dateOf(Date.now() - (Number(days) - 1) * dayMs)
  const { data, error, refetch } = useQuery(
    api.stats.get.queryOptions({ assistantId: assistant.assistant_id, from }, { placeholderData: keepPreviousData }),
  )
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={360} />
  const { calls, duration, success, cost, by_day, ended_reasons } = data.data
  const series = by_day.map(({ date, ...rest }) => ({ ...rest, date: formatDay(date) }))
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" size="sm">
          Days in UTC{data.data.source === 'simulated' ? ' · simulated calls' : ''}
        </Text>
        <SegmentedControl
          aria-label="Period"
          value={days}
          onChange={setDays}
          data={[
            { value: '7', label: '7 days' },
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
          ]}
        />
      </Group>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure name="Calls" value={formatCount(calls.total)} note={`${formatCount(calls.in_progress)} running`} />
        <Figure
          name="Average length"
          value={formatLength(duration.average_seconds)}
          note={`${formatCount(duration.total_minutes)} minutes in all`}
        />
        <Figure
          name="Success"
          value={success.rate === null ? 'None judged' : `${Math.round(success.rate * 100)} %`}
          note={`${formatCount(success.passed)} of ${formatCount(success.evaluated)}`}
        />
        <Figure name="Cost" value={formatUsd(cost.total)} note={`${formatUsd(cost.average)} a call`} />
      </SimpleGrid>
      <Card>
        <Title order={2} size="h5" mb="md">
          Calls by day
        </Title>
        <BarChart
          h={220}
          data={series}
          dataKey="date"
          series={[{ name: 'calls', label: 'Calls', color: 'indigo.6' }]}
          tickLine="none"
        />
      </Card>
      {ended_reasons.length > 0 && (
        <Card>
          <Title order={2} size="h5" mb="md">
            How calls ended
          </Title>
          <Group align="flex-start" gap="xl">
            <DonutChart
              size={150}
              thickness={22}
              data={ended_reasons.map(({ reason, count, category }) => ({
                name: formatWord(reason),
                value: count,
                color: colors[category],
              }))}
            />
            <Table flex={1} miw={260}>
              <Table.Tbody>
                {ended_reasons.map(({ reason, count, share }) => (
                  <Table.Tr key={reason}>
                    <Table.Td>{formatWord(reason)}</Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {formatCount(count)}
                    </Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {Math.round(share * 100)} %
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Group>
        </Card>
      )}
    </Stack>
  )
}
