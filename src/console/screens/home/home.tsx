import { Button, SimpleGrid, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type client } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { Figure } from '../../parts/figure.tsx'
import { formatCount, formatNumberOf, formatUsd } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { type Feature, mayRead, useAccess, useMayWrite } from '../../session/access.tsx'
import { Checklist } from './checklist.tsx'
import { Failures } from './failures.tsx'
import { Health } from './health.tsx'

export type Overview = Awaited<ReturnType<typeof client.overview.get.query>>['data']

/** The first screen: what is to set up, what works, what happened today, and what failed. */
export function Home() {
  const { user, workspace } = useAccess()
  const mayWrite = useMayWrite('assistants')
  const { data, error, refetch } = useQuery(api.overview.get.queryOptions({}, { refetchInterval: 15_000 }))
  return (
    <Page
      title={`Hello, ${user.name}`}
      about={workspace.name}
      actions={
        mayWrite && (
          <Button component={Link} to="/assistants?filter=new" leftSection={<IconPlus size={16} />}>
            New assistant
          </Button>
        )
      }
    >
      {error && !data && <Failed error={error} retry={refetch} />}
      {!data && !error && <Skeleton h={360} />}
      {data && <Content overview={data.data} />}
    </Page>
  )
}

function Content({ overview }: { overview: Overview }) {
  const { today, counts } = overview
  const access = useAccess()
  const { billing } = access.workspace
  const may = (feature: Feature) => mayRead(access, feature)
  return (
    <>
      <div className="figures">
        {may('assistants') && (
          <Figure
            name="Calls today"
            value={today.calls === null ? 'Unknown' : formatCount(today.calls)}
            note={formatNumberOf(counts.assistants, 'assistant')}
          />
        )}
        {may('ai_chat') && (
          <>
            <Figure
              name="Turns today"
              value={formatCount(today.turns)}
              note={`${formatNumberOf(counts.agents, 'agent')} of yours`}
            />
            <Figure
              name="Spent today"
              value={today.spent_usd !== null ? formatUsd(today.spent_usd) : formatCount(today.spent_tokens ?? 0)}
              note={
                billing === 'none' ? 'This workspace is not billed' : billing === 'tokens' ? 'tokens' : 'US dollars'
              }
            />
          </>
        )}
        {may('phone_numbers') && (
          <Figure
            name="Numbers"
            value={formatCount(counts.phone_numbers)}
            note={may('squads') && formatNumberOf(counts.squads, 'squad')}
          />
        )}
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Checklist overview={overview} />
        <Health overview={overview} />
      </SimpleGrid>
      {may('assistants') && <Failures failures={overview.failures} />}
    </>
  )
}
