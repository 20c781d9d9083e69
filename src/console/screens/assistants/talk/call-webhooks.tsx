import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { formatWord } from '../../../parts/format.ts'
import { mayRead, useAccess } from '../../../session/access.tsx'
import { DeliveryState } from '../../deliveries/delivery-state.tsx'

/** What became of the webhooks of one call; asks again while some are on their way. */
export function CallWebhooks({ callId }: { callId: string }) {
  const mayLook = mayRead(useAccess(), 'assistants')
  const { data } = useQuery(
    api.deliveries.unassigned.queryOptions(
      { call_id: callId, per_page: 50 },
      {
        enabled: mayLook,
        refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'pending') ? 1000 : false),
      },
    ),
  )
  const mine = data?.data.toReversed() ?? []
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
