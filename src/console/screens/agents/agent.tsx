import { Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { CopyId } from '../../parts/copy.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { ScreenTabs } from '../../parts/screen-tabs.tsx'
import { useMayWrite } from '../../session/access.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { RemoveAgent } from './remove.tsx'
import { tabsFor } from './tabs.ts'

const route = getRouteApi('/agents/$agentId')

/** One agent: its chats, and what it knows and may do. */
export function AgentScreen() {
  const { agentId } = route.useParams()
  const { filter } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMayWrite('ai_chat')
  const { data, error, refetch } = useQuery(api.agents.get.queryOptions({ agent_id: agentId }))
  const given = useQuery(api.agents.access.queryOptions({ agent_id: agentId }))
  if (statusOf(error) === 404) return <NotFound />
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (given.error && !given.data) return <Failed error={given.error} retry={given.refetch} />
  if (!data || !given.data) return <Skeleton h={360} />
  const agent = data.data
  const { access } = given.data.data
  const tabs = tabsFor(given.data.data)
  const [open] = [...tabs.filter(({ value }) => value === filter), ...tabs]
  return (
    <Page
      title={agent.name}
      about={
        <Group gap="sm">
          {agent.description && <Text c="dimmed">{agent.description}</Text>}
          <CopyId value={agent.id} what="the agent's id" short />
        </Group>
      }
      actions={mayWrite && <RemoveAgent agent={agent} own={access === 'own'} />}
    >
      <ScreenTabs
        key={agent.id}
        tabs={tabs}
        open={open?.value ?? ''}
        onOpen={(next) => navigate({ search: { filter: next } })}
        content={{ agent, may: { change: mayWrite && access !== 'view', own: mayWrite && access === 'own' } }}
      />
    </Page>
  )
}
