import { Button, Code, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queryClient } from '../../api/client.ts'
import { Copy, CopyId } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Failed } from '../../parts/failed.tsx'
import { formatTime, formatWord } from '../../parts/format.ts'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { useMayWrite } from '../../session/access.tsx'
import { DeliveryState } from './delivery-state.tsx'

/** A text of JSON with its title, to look at and to copy. */
function JsonText({ title, value, what }: { title: string; value: string; what: string }) {
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Copy value={value} what={what} />
      </Group>
      <Code block mah={360} className="scroll" tabIndex={0}>
        {value}
      </Code>
    </>
  )
}

/** One delivery: where it went, what came back, its body, and another try. */
export function DeliveryDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const mayWrite = useMayWrite('assistants')
  const { data, error } = useQuery(api.deliveries.get.queryOptions({ id }))
  const replay = useMutation(
    api.deliveries.replay.mutationOptions({
      onSuccess({ message }) {
        tellDone(message)
        queryClient.invalidateQueries(api.deliveries.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  const delivery = data?.data
  const body = delivery && JSON.stringify(delivery.payload, null, 2)
  const response = delivery && delivery.response !== null ? JSON.stringify(delivery.response, null, 2) : undefined
  return (
    <Modal opened onClose={onClose} title={delivery ? formatWord(delivery.type) : 'Webhook'} size="xl">
      {error && <Failed error={error} />}
      {!delivery && !error && <Skeleton h={200} />}
      {delivery && body && (
        <Stack>
          <Group justify="space-between">
            <Group gap="xs">
              <DeliveryState status={delivery.status} />
              <CopyId value={delivery.id} what="the delivery's id" short />
            </Group>
            {mayWrite && (
              <Button
                size="xs"
                leftSection={<IconRefresh size={15} />}
                loading={replay.isPending}
                onClick={() => replay.mutate({ id })}
              >
                Send again
              </Button>
            )}
          </Group>
          <Text size="sm" className="prose">
            {delivery.url}
          </Text>
          <Facts
            facts={[
              ['Attempts', delivery.attempts],
              ['Last response', delivery.last_status],
              ['Delivered', delivery.delivered_at ? formatTime(delivery.delivered_at) : undefined],
              ['Next attempt', delivery.next_attempt_at ? formatTime(delivery.next_attempt_at) : undefined],
            ]}
          />
          {delivery.last_error && (
            <Text size="sm" c="red">
              {delivery.last_error}
            </Text>
          )}
          <JsonText title="Body" value={body} what="the body" />
          {response && <JsonText title="Response" value={response} what="the response" />}
        </Stack>
      )}
    </Modal>
  )
}
