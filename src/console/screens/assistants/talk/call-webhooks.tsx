import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type client } from '../../../api/client.ts'
import { formatWord } from '../../../parts/format.ts'
import { mayRead, useAccess } from '../../../session/access.tsx'
import { DeliveryState } from '../../deliveries/delivery-state.tsx'

/** Where a call's webhooks are found: with its assistant, or with the workspace whose squad or number was called. */
export type Told = { assistantId: string } | { workspaceId: number }

type Deliveries = Awaited<ReturnType<typeof client.deliveries.list.query>>

/** What became of the webhooks of one call; asks again while some are on their way. */
export function CallWebhooks({ told, callId }: { told: Told; callId: string }) {
  const mayLook = mayRead(useAccess(), 'assistants')
  const [assistantId, workspaceId] = 'assistantId' in told ? [told.assistantId] : [undefined, told.workspaceId]
  const isOnItsWay = ({ status, call_id }: Deliveries['data'][number]) => status === 'pending' && call_id === callId
  const refetchInterval = ({ state }: { state: { data?: Deliveries } }) =>
    state.data?.data.some(isOnItsWay) ? 1000 : false
  const ofAssistant = useQuery(
    api.deliveries.list.queryOptions(
      { assistantId: assistantId ?? '', per_page: 50 },
      { refetchInterval, enabled: assistantId !== undefined },
    ),
  )
  const ofWorkspace = useQuery(
    api.deliveries.unassigned.queryOptions(
      { workspace_id: workspaceId, per_page: 50 },
      { refetchInterval, enabled: workspaceId !== undefined && mayLook },
    ),
  )
  const { data } = assistantId === undefined ? ofWorkspace : ofAssistant
  const mine = data?.data.filter(({ call_id }) => call_id === callId).reverse() ?? []
  if (mine.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        Webhooks of this call
      </Text>
      {mine.map(({ id, type, status, last_status }) => (
        <Group key={id} gap="xs" justify="space-between">
          <Text size="sm">{formatWord(type)}</Text>
          <DeliveryState status={status} response={last_status} />
        </Group>
      ))}
    </Stack>
  )
}
