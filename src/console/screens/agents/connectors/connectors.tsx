import { Button, Card, Group, Skeleton, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import type { AgentTabProps } from '../tabs.ts'
import { ConnectorCard } from './connector-card.tsx'
import { ConnectorDialog } from './connector-dialog.tsx'

/**
 * The tool servers that the agent may use, and which of their tools; those that the caller registered are changed here.
 */
export default function Connectors({ agent, may }: AgentTabProps) {
  const agent_id = agent.id
  const [registering, dialog] = useDisclosure(false)
  const { data, error, refetch } = useQuery(api.connectors.listOfAgent.queryOptions({ agent_id }))
  const registry = useQuery(api.connectors.list.queryOptions(undefined, { enabled: may.change }))
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={240} />
  const registered = new Map(registry.data?.data.map((one) => [one.uid, one]))
  const listed = new Set(data.data.map(({ uid }) => uid))
  // The agent has no use for them, so its list leaves them out.
  const inactive = [...registered.values()].filter(({ uid, active }) => !active && !listed.has(uid))
  const all = [...data.data, ...inactive.map((one) => ({ ...one, enabled: false, tools_count: 0 }))]
  const add = may.change && (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={dialog.open}
      variant={all.length === 0 ? 'filled' : 'default'}
    >
      Add a tool server
    </Button>
  )
  return (
    <Stack>
      {all.length === 0 && (
        <Card>
          <Empty icon={<IconPlugConnected size={28} />} title="No tool server yet" action={add}>
            With a server that speaks the Model Context Protocol the agent can look things up and do things elsewhere.
          </Empty>
        </Card>
      )}
      {all.map((connector) => (
        <ConnectorCard
          key={connector.uid}
          agentId={agent_id}
          connector={connector}
          registered={registered.get(connector.uid)}
          mayChange={may.change}
        />
      ))}
      {all.length > 0 && add && <Group>{add}</Group>}
      {registering && <ConnectorDialog onClose={dialog.close} />}
    </Stack>
  )
}
