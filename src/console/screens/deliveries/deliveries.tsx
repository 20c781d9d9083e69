import { Card, Group, SegmentedControl, Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatAgo, formatTime, formatWord } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { DeliveryDetails } from './delivery.tsx'
import { DeliveryState } from './delivery-state.tsx'

const states = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Given up' },
] as const

type State = (typeof states)[number]['value']

interface DeliveriesProps {
  /** Without one, those that name no assistant, or all of a workspace. */
  assistantId?: string
  workspaceId?: number
  webhook: string | null
}

/**
 * What was and is to be sent about an assistant's calls, those of a workspace, or those that none answered, newest
 * first.
 */
export function Deliveries({ assistantId, workspaceId, webhook }: DeliveriesProps) {
  const [state, setState] = useState<State>('all')
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<string>()
  const query = { page, status: state === 'all' ? undefined : state }
  const options = { placeholderData: keepPreviousData, refetchInterval: 5000 } as const
  const ofAssistant = useQuery(
    api.deliveries.list.queryOptions(
      { ...query, assistantId: assistantId ?? '' },
      { ...options, enabled: assistantId !== undefined },
    ),
  )
  const ofOthers = useQuery(
    api.deliveries.unassigned.queryOptions(
      { ...query, workspace_id: workspaceId },
      { ...options, enabled: assistantId === undefined },
    ),
  )
  return (
    <Card padding={0}>
      <Group p="md" justify="space-between">
        <SegmentedControl
          aria-label="State"
          data={[...states]}
          value={state}
          onChange={(value) => {
            setState(value as State)
            setPage(1)
          }}
        />
        {webhook && (
          <Text size="sm" c="dimmed" truncate>
            {webhook}
          </Text>
        )}
      </Group>
      <Listing
        list={assistantId === undefined ? ofOthers : ofAssistant}
        empty={
          <Empty icon={<IconWebhook size={28} />} title="Nothing was sent">
            {webhook || state !== 'all' || assistantId === undefined
              ? 'When something happens in a call, it is told to the webhook and shown here.'
              : 'Name a webhook under Edit: what happens in calls is sent there.'}
          </Empty>
        }
        columns={[
          {
            head: 'Event',
            cell: ({ id, type }) => <RowButton onClick={() => setShown(id)}>{formatWord(type)}</RowButton>,
          },
          { head: 'State', cell: ({ status }) => <DeliveryState status={status} /> },
          { head: 'Attempts', numbers: true, cell: ({ attempts }) => attempts },
          {
            head: 'Response',
            maxWidth: 260,
            cell: ({ last_status, last_error }) => (
              <Text size="sm" truncate>
                {last_status ?? last_error ?? ''}
              </Text>
            ),
          },
          {
            head: 'Created',
            numbers: true,
            cell: ({ created_at }) => <span title={formatTime(created_at)}>{formatAgo(created_at)}</span>,
          },
        ]}
        id={({ id }) => id}
        minWidth={620}
        opens
        onPage={setPage}
      />
      {shown && <DeliveryDetails id={shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
