import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Facts } from '../../../parts/facts.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatTime } from '../../../parts/format.ts'
import { Pager } from '../../../parts/pager.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import { Transcript } from '../calls/transcript.tsx'
import type { Conversation } from './conversations.tsx'

interface DialogProps {
  assistantId: string
  conversation: Conversation
  onClose: () => void
}

/** One conversation with a visitor: where it came from, and what was said. */
export function ConversationDialog({ assistantId, conversation, onClose }: DialogProps) {
  const [page, setPage] = useState(1)
  const mayWrite = useMayWrite('assistants')
  const path = { assistantId, conversationId: conversation.id }
  const { data, error, refetch } = useQuery(
    api.conversations.messages.queryOptions({ ...path, page, per_page: 100 }, { placeholderData: keepPreviousData }),
  )
  const remove = useMutation(
    api.conversations.delete.mutationOptions({
      onSuccess({ message }) {
        tellDone(message)
        onClose()
        queryClient.invalidateQueries(api.conversations.list.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  return (
    <Modal opened onClose={onClose} title="Conversation" size="lg">
      <Stack>
        <Facts
          facts={[
            ['Website', conversation.origin ?? undefined],
            ['Began', formatTime(conversation.created_at)],
            ['Last message', formatTime(conversation.last_message_at)],
          ]}
        />
        {error && <Failed error={error} retry={refetch} />}
        {!data && !error && <Skeleton h={200} />}
        {data && (
          <>
            <Transcript
              names={{ assistant: 'Assistant', caller: 'Visitor' }}
              turns={data.data.map(({ role, content }) => ({
                by: role === 'assistant' ? 'assistant' : 'caller',
                text: content,
              }))}
            />
            <Pager pagination={data.pagination} onChange={setPage} />
          </>
        )}
        {mayWrite && (
          <Group justify="flex-end">
            <Confirm
              title="Delete this conversation?"
              text="What was said is gone for good. The visitor can go on writing."
              action="Delete conversation"
              onConfirm={() => remove.mutate(path)}
            >
              {(open) => (
                <Button
                  variant="default"
                  leftSection={<IconTrash size={16} />}
                  loading={remove.isPending}
                  onClick={open}
                >
                  Delete
                </Button>
              )}
            </Confirm>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}
