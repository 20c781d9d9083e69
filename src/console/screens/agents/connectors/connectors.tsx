import { Badge, Button, Card, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type client, queryClient } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import type { AgentTabProps } from '../tabs.ts'
import { RegisterConnector } from './register.tsx'

type Connector = Awaited<ReturnType<typeof client.connectors.listOfAgent.query>>['data'][number]

/** The tool servers that the agent may use, and which of their tools. */
export default function Connectors({ agent }: AgentTabProps) {
  const agent_id = agent.id
  const mayWrite = useMayWrite('ai_chat')
  const [registering, dialog] = useDisclosure(false)
  const { data, error, refetch } = useQuery(api.connectors.listOfAgent.queryOptions({ agent_id }))
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={240} />
  const add = mayWrite && (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={dialog.open}
      variant={data.data.length === 0 ? 'filled' : 'default'}
    >
      Add a tool server
    </Button>
  )
  return (
    <Stack>
      {data.data.length === 0 && (
        <Card>
          <Empty icon={<IconPlugConnected size={28} />} title="No tool server yet" action={add}>
            With a server that speaks the Model Context Protocol the agent can look things up and do things elsewhere.
          </Empty>
        </Card>
      )}
      {data.data.map((connector) => (
        <ConnectorCard key={connector.uid} agentId={agent_id} connector={connector} />
      ))}
      {data.data.length > 0 && add && <Group>{add}</Group>}
      {registering && <RegisterConnector onClose={dialog.close} />}
    </Stack>
  )
}

function ConnectorCard({ agentId, connector }: { agentId: string; connector: Connector }) {
  const { uid, name, description, server_url, enabled, reachable, tools_count, tools } = connector
  const ids = { agent_id: agentId, connector_id: uid }
  const mayWrite = useMayWrite('ai_chat')
  const options = {
    onSuccess({ message }: { message: string }) {
      tellDone(message)
      // Waited for, so that a switch shows what was chosen until the list says it.
      return queryClient.invalidateQueries(api.connectors.pathFilter())
    },
    onError: tellFailed,
  }
  const enable = useMutation(api.connectors.enable.mutationOptions(options))
  const enableTool = useMutation(api.connectors.enableTool.mutationOptions(options))
  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Group gap="xs">
              <Title order={2} size="h5">
                {name}
              </Title>
              {reachable === true && <Badge color="teal">reachable</Badge>}
              {reachable === false && <Badge color="red">not reachable</Badge>}
              {!enabled && tools_count > 0 && <Badge color="gray">{tools_count} tools</Badge>}
            </Group>
            <Text size="sm" c="dimmed" className="prose">
              {description || server_url}
            </Text>
          </div>
          <Switch
            label="Use"
            checked={enable.isPending ? enable.variables.enabled : enabled}
            disabled={!mayWrite}
            onChange={(event) => enable.mutate({ ...ids, enabled: event.currentTarget.checked })}
          />
        </Group>
        {tools?.map((tool) => (
          <Switch
            key={tool.name}
            label={tool.name}
            description={tool.description}
            checked={
              enableTool.isPending && enableTool.variables.tool_name === tool.name
                ? enableTool.variables.enabled
                : tool.enabled
            }
            disabled={!mayWrite}
            onChange={(event) =>
              enableTool.mutate({ ...ids, tool_name: tool.name, enabled: event.currentTarget.checked })
            }
          />
        ))}
      </Stack>
    </Card>
  )
}
