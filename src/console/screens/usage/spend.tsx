import { BarChart } from '@mantine/charts'
import { Card, Title } from '@mantine/core'
import type { client } from '../../api/client.ts'
import { formatDay } from '../../parts/format.ts'

type Entry = Awaited<ReturnType<typeof client.usage.ledger.query>>['data'][number]

const shades = ['indigo.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.6']

/** What the entries charge by day and model, oldest day first; in dollars, or in tokens where those are the currency. */
function byDay(entries: readonly Entry[]) {
  const days = new Map<string, Record<string, number>>()
  for (const { kind, model, amount_usd, amount_tokens, created_at } of [...entries].reverse()) {
    if (kind !== 'charge') continue
    const date = created_at.slice(0, 10)
    const day = days.get(date) ?? {}
    const name = model ?? 'other'
    day[name] = (day[name] ?? 0) - (amount_usd ?? amount_tokens ?? 0)
    days.set(date, day)
  }
  return [...days].map(([date, amounts]) => ({ date: formatDay(`${date}T12:00:00Z`), ...amounts }))
}

/** The charges of a page of the ledger as bars; nothing when nothing was charged. */
export default function Spend({ entries }: { entries: readonly Entry[] }) {
  const data = byDay(entries)
  const models = [...new Set(entries.filter(({ kind }) => kind === 'charge').map(({ model }) => model ?? 'other'))]
  if (entries.every(({ kind, amount_usd, amount_tokens }) => kind !== 'charge' || !(amount_usd ?? amount_tokens)))
    return null
  return (
    <Card>
      <Title order={2} size="h5" mb="md">
        Spend by day and model
      </Title>
      <BarChart
        h={220}
        data={data}
        dataKey="date"
        type="stacked"
        withLegend
        series={models.map((name, index) => ({ name, color: shades[index % shades.length] ?? 'gray.6' }))}
      />
    </Card>
  )
}
