import { Card, Skeleton, Table, UnstyledButton } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatAgo } from '../../../parts/format.ts'
import { Pager } from '../../../parts/pager.tsx'
import { Rows } from '../../../parts/rows.tsx'
import type { TabProps } from '../tabs.ts'
import { ConversationDialog } from './dialog.tsx'

export type Conversation = Awaited<ReturnType<typeof client.conversations.list.query>>['data'][number]

/** What visitors of websites wrote to the assistant, the latest first. */
export default function Conversations({ assistant: { assistant_id: assistantId } }: TabProps) {
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<Conversation>()
  const { data, error, refetch } = useQuery(
    api.conversations.list.queryOptions({ assistantId, page }, { placeholderData: keepPreviousData }),
  )
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={240} />
  if (data.data.length === 0) {
    return (
      <Card>
        <Empty icon={<IconMessages size={28} />} title="No visitor wrote yet">
          Put the widget on a page: its tag is under Website.
        </Empty>
      </Card>
    )
  }
  return (
    <Card padding={0}>
      <Rows>
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>First message</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th ta="right">Messages</Table.Th>
              <Table.Th>Last message</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((conversation) => (
              <Table.Tr key={conversation.id} data-link>
                <Table.Td maw={360}>
                  <UnstyledButton className="row-link" onClick={() => setShown(conversation)}>
                    {conversation.subject}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>{conversation.origin}</Table.Td>
                <Table.Td ta="right" className="numbers">
                  {conversation.messages_count}
                </Table.Td>
                <Table.Td>{formatAgo(conversation.last_message_at)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Rows>
      <Pager pagination={data.pagination} onChange={setPage} />
      {shown && (
        <ConversationDialog assistantId={assistantId} conversation={shown} onClose={() => setShown(undefined)} />
      )}
    </Card>
  )
}
