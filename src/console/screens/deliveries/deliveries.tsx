import { Card, Group, SegmentedControl, Skeleton, Table, Text, UnstyledButton } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { formatAgo, formatTime, formatWord } from '../../parts/format.ts'
import { Pager } from '../../parts/pager.tsx'
import { Rows } from '../../parts/rows.tsx'
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
  const { data, error, refetch } = assistantId === undefined ? ofOthers : ofAssistant
  if (error && !data) return <Failed error={error} retry={refetch} />
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
      {!data && <Skeleton h={200} />}
      {data?.pagination.total === 0 && (
        <Empty icon={<IconWebhook size={28} />} title="Nothing was sent">
          {webhook || state !== 'all' || assistantId === undefined
            ? 'When something happens in a call, it is told to the webhook and shown here.'
            : 'Name a webhook under Edit: what happens in calls is sent there.'}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Rows>
          <Table miw={620}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Event</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Attempts</Table.Th>
                <Table.Th>Response</Table.Th>
                <Table.Th>Created</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map(({ id, type, status, attempts, last_status, last_error, created_at }) => (
                <Table.Tr key={id} data-link>
                  <Table.Td>
                    <UnstyledButton className="row-link" onClick={() => setShown(id)}>
                      {formatWord(type)}
                    </UnstyledButton>
                  </Table.Td>
                  <Table.Td>
                    <DeliveryState status={status} />
                  </Table.Td>
                  <Table.Td className="numbers">{attempts}</Table.Td>
                  <Table.Td maw={260}>
                    <Text size="sm" truncate>
                      {last_status ?? last_error ?? ''}
                    </Text>
                  </Table.Td>
                  <Table.Td title={formatTime(created_at)}>{formatAgo(created_at)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Rows>
      )}
      {data && <Pager pagination={data.pagination} onChange={setPage} />}
      {shown && <DeliveryDetails id={shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
