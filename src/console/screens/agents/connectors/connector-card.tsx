import { Badge, Card, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, type client, queryClient } from '../../../api/client.ts'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import type { Registered } from './connector-dialog.tsx'
import { RegisteredActions } from './registered-actions.tsx'

type Connector = Awaited<ReturnType<typeof client.connectors.listOfAgent.query>>['data'][number]

interface ConnectorCardProps {
  agentId: string
  connector: Connector
  /** Its entry in the caller's registry, where it has one. */
  registered: Registered | undefined
  mayChange: boolean
}

/** One tool server: whether the agent uses it, and which of its tools. */
export function ConnectorCard({ agentId, connector, registered, mayChange }: ConnectorCardProps) {
  const { uid, name, description, server_url, enabled, reachable, tools_count, tools } = connector
  const ids = { agent_id: agentId, connector_id: uid }
  const isActive = registered?.active !== false
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
              {!isActive && <Badge color="gray">switched off for all agents</Badge>}
              {!enabled && tools_count > 0 && <Badge color="gray">{tools_count} tools</Badge>}
            </Group>
            <Text size="sm" c="dimmed" className="prose">
              {description || server_url}
            </Text>
          </div>
          <Group gap="md" wrap="nowrap">
            <Switch
              label="Use"
              checked={enable.isPending ? enable.variables.enabled : enabled}
              disabled={!mayChange || !isActive}
              onChange={(event) => enable.mutate({ ...ids, enabled: event.currentTarget.checked })}
            />
            {registered && <RegisteredActions registered={registered} />}
          </Group>
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
            disabled={!mayChange || !isActive}
            onChange={(event) =>
              enableTool.mutate({ ...ids, tool_name: tool.name, enabled: event.currentTarget.checked })
            }
          />
        ))}
      </Stack>
    </Card>
  )
}
