import { Card } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { formatAgo } from '../../../parts/format.ts'
import { Listing } from '../../../parts/listing.tsx'
import { RowButton } from '../../../parts/row-button.tsx'
import type { TabProps } from '../tabs.ts'
import { ConversationDialog } from './dialog.tsx'

export type Conversation = Awaited<ReturnType<typeof client.conversations.list.query>>['data'][number]

/** What visitors of websites wrote to the assistant, the latest first. */
export default function Conversations({ assistant: { assistant_id: assistantId } }: TabProps) {
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<Conversation>()
  const list = useQuery(
    api.conversations.list.queryOptions(
      { assistantId, page },
      { placeholderData: keepPreviousData, refetchInterval: 5_000, refetchOnMount: 'always' },
    ),
  )
  return (
    <Card padding={0}>
      <Listing
        list={list}
        empty={
          <Empty icon={<IconMessages size={28} />} title="No visitor wrote yet">
            Put the widget on a page: its tag is under Website.
          </Empty>
        }
        columns={[
          {
            head: 'First message',
            maxWidth: 360,
            cell: (conversation) => (
              <RowButton onClick={() => setShown(conversation)}>{conversation.subject}</RowButton>
            ),
          },
          { head: 'From', cell: ({ origin }) => origin },
          { head: 'Messages', align: 'right', numbers: true, cell: ({ messages_count }) => messages_count },
          { head: 'Last message', numbers: true, cell: ({ last_message_at }) => formatAgo(last_message_at) },
        ]}
        id={({ id }) => id}
        minWidth={560}
        opens
        onPage={setPage}
      />
      {shown && (
        <ConversationDialog assistantId={assistantId} conversation={shown} onClose={() => setShown(undefined)} />
      )}
    </Card>
  )
}
