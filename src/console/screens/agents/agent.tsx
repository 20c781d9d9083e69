import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyId } from '../../parts/copy.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { ScreenTabs } from '../../parts/screen-tabs.tsx'
import { useMayWrite } from '../../session/access.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { tabs } from './tabs.ts'

const route = getRouteApi('/agents/$agentId')

/** One agent: its chats, and what it knows and may do. */
export function AgentScreen() {
  const { agentId } = route.useParams()
  const { filter: open = 'chat' } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMayWrite('ai_chat')
  const { data, error, refetch } = useQuery(api.agents.get.queryOptions({ agent_id: agentId }))
  const remove = useMutation(
    api.agents.delete.mutationOptions({
      async onSuccess() {
        tellDone('The agent is deleted.')
        await navigate({ to: '/agents', ignoreBlocker: true })
        queryClient.invalidateQueries(api.agents.list.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  if (statusOf(error) === 404) return <NotFound />
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={360} />
  const agent = data.data
  return (
    <Page
      title={agent.name}
      about={
        <Group gap="sm">
          {agent.description && <Text c="dimmed">{agent.description}</Text>}
          <CopyId value={agent.id} what="the agent's id" short />
        </Group>
      }
      actions={
        mayWrite && (
          <Confirm
            title={`Delete ${agent.name}?`}
            text="Its files, chats and memory go with it, also for everybody with whom it is shared."
            action="Delete agent"
            onConfirm={() => remove.mutate({ agent_id: agent.id })}
          >
            {(ask) => (
              <Button variant="default" leftSection={<IconTrash size={16} />} onClick={ask} loading={remove.isPending}>
                Delete
              </Button>
            )}
          </Confirm>
        )
      }
    >
      <ScreenTabs
        key={agent.id}
        tabs={tabs}
        open={open}
        onOpen={(filter) => navigate({ search: { filter } })}
        content={{ agent }}
      />
    </Page>
  )
}
