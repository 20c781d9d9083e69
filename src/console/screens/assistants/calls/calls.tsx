import { Badge, Card, Modal, Stack, Text } from '@mantine/core'
import { IconPhoneCall } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Facts } from '../../../parts/facts.tsx'
import { formatLength, formatTime, formatUsd, formatWord } from '../../../parts/format.ts'
import { Listing } from '../../../parts/listing.tsx'
import { RowButton } from '../../../parts/row-button.tsx'
import type { TabProps } from '../tabs.ts'
import { Transcript, turnsOf } from './transcript.tsx'

export type Call = Awaited<ReturnType<typeof client.calls.list.query>>['data'][number]

/** The assistant's calls, newest first. */
export default function Calls({ assistant }: TabProps) {
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<Call>()
  const list = useQuery(
    api.calls.list.queryOptions(
      { assistantId: assistant.assistant_id, page },
      { placeholderData: keepPreviousData, refetchInterval: 5_000, refetchOnMount: 'always' },
    ),
  )
  return (
    <Card padding={0}>
      <Listing
        list={list}
        empty={
          <Empty icon={<IconPhoneCall size={28} />} title="No call yet">
            Call its number, or place a test call under Talk.
          </Empty>
        }
        columns={[
          {
            head: 'Started',
            numbers: true,
            cell: (call) => (
              <RowButton onClick={() => setShown(call)}>
                {call.started_at ? formatTime(call.started_at) : 'Not yet'}
              </RowButton>
            ),
          },
          {
            head: 'Kind',
            cell: ({ type }) => type && <Badge color="gray">{type.replace(/([A-Z])/g, ' $1').toLowerCase()}</Badge>,
          },
          {
            head: 'Length',
            numbers: true,
            cell: ({ duration_seconds: seconds }) => (seconds === null ? '' : formatLength(seconds)),
          },
          { head: 'Ended by', cell: (call) => formatWord(call.ended_reason ?? call.status ?? '') },
          {
            head: 'Cost',
            align: 'right',
            numbers: true,
            cell: ({ cost }) => (cost === null ? '' : formatUsd(cost)),
          },
        ]}
        id={({ id }) => id}
        minWidth={640}
        opens
        onPage={setPage}
      />
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
