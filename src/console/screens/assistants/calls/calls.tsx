import { Badge, Card, Modal, Skeleton, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { IconPhoneCall } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Facts } from '../../../parts/facts.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatLength, formatTime, formatUsd, formatWord } from '../../../parts/format.ts'
import { Pager } from '../../../parts/pager.tsx'
import { Rows } from '../../../parts/rows.tsx'
import type { TabProps } from '../tabs.ts'
import { Transcript, turnsOf } from './transcript.tsx'

export type Call = Awaited<ReturnType<typeof client.calls.list.query>>['data'][number]

/** The assistant's calls, newest first. */
export default function Calls({ assistant }: TabProps) {
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<Call>()
  const { data, error, refetch } = useQuery(
    api.calls.list.queryOptions({ assistantId: assistant.assistant_id, page }, { placeholderData: keepPreviousData }),
  )
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={240} />
  if (data.data.length === 0) {
    return (
      <Card>
        <Empty icon={<IconPhoneCall size={28} />} title="No call yet">
          Call its number, or place a test call under Talk.
        </Empty>
      </Card>
    )
  }
  return (
    <Card padding={0}>
      <Rows>
        <Table miw={640}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Started</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>Length</Table.Th>
              <Table.Th>Ended by</Table.Th>
              <Table.Th ta="right">Cost</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((call) => (
              <Table.Tr key={call.id} data-link>
                <Table.Td>
                  <UnstyledButton className="row-link" onClick={() => setShown(call)}>
                    {call.started_at ? formatTime(call.started_at) : 'Not yet'}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>
                  {call.type && <Badge color="gray">{call.type.replace(/([A-Z])/g, ' $1').toLowerCase()}</Badge>}
                </Table.Td>
                <Table.Td className="numbers">
                  {call.duration_seconds === null ? '' : formatLength(call.duration_seconds)}
                </Table.Td>
                <Table.Td>{formatWord(call.ended_reason ?? call.status ?? '')}</Table.Td>
                <Table.Td ta="right" className="numbers">
                  {call.cost === null ? '' : formatUsd(call.cost)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Rows>
      <Pager pagination={data.pagination} onChange={setPage} />
      {shown && (
        <Modal opened onClose={() => setShown(undefined)} title="Call" size="lg">
          <CallDetails call={shown} />
        </Modal>
      )}
    </Card>
  )
}

/** One call: its figures, its summary and what was said. */
export function CallDetails({ call }: { call: Call }) {
  const turns = turnsOf(call.transcript ?? '')
  return (
    <Stack>
      <Facts
        facts={[
          ['Length', call.duration_seconds === null ? undefined : formatLength(call.duration_seconds)],
          ['Cost', call.cost === null ? undefined : formatUsd(call.cost)],
          ['Ended by', call.ended_reason ? formatWord(call.ended_reason) : undefined],
          ['Started', call.started_at ? formatTime(call.started_at) : undefined],
        ]}
      />
      {call.summary && (
        <Text size="sm" className="prose">
          {call.summary}
        </Text>
      )}
      {turns.length > 0 ? (
        <Transcript turns={turns} />
      ) : (
        <Text c="dimmed">Nothing was said, or nothing was written down.</Text>
      )}
    </Stack>
  )
}
