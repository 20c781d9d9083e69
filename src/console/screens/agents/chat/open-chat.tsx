import { ActionIcon, Card, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, client } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { NameDialog } from '../../../parts/name-dialog.tsx'
import { tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import { Thread } from './thread.tsx'

/** A chat as the API gives it. */
export type Chat = Awaited<ReturnType<typeof client.chats.get.query>>['data']

interface OpenChatProps {
  agentId: string
  chat: Chat
  ownsAgent: boolean
  /** Called after a turn, with another title, and when it is deleted. */
  onChange: () => Promise<void>
  /** Called first when it is deleted. */
  onRemove: (id: string) => void
}

/** Whether nothing was said in a chat yet, nor was it given a title. */
export const isUnused = ({ title, last_message_at }: Chat) => last_message_at === null && title === 'New chat'

const maxTitle = 60

/** The beginning of a text, up to the end of a word. */
function firstWords(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxTitle) return line
  const cut = line.slice(0, maxTitle)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxTitle / 2)).trimEnd()}…`
}

/** One chat: its title, what can be done with it, and what is said in it. */
export function OpenChat({ agentId, chat, ownsAgent, onChange, onRemove }: OpenChatProps) {
  const mayWrite = useMayWrite('ai_chat')
  const [renaming, dialog] = useDisclosure(false)
  const rename = useMutation(api.chats.update.mutationOptions({ onSettled: onChange }))
  /** A chat is called by what it began with, until it is called otherwise. */
  const onTurn = (content: string) => {
    if (isUnused(chat)) rename.mutate({ agent_id: agentId, chat_id: chat.id, title: firstWords(content) })
    else void onChange()
  }
  const remove = useMutation(
    api.chats.delete.mutationOptions({
      onSuccess() {
        onRemove(chat.id)
        return onChange()
      },
      onError: tellFailed,
    }),
  )
  return (
    <Card>
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Text fw={600} className="prose">
          {chat.title}
        </Text>
        {mayWrite && (
          <Group gap={4} wrap="nowrap">
            <ActionIcon variant="subtle" color="gray" aria-label="Rename this chat" onClick={dialog.open}>
              <IconPencil size={17} />
            </ActionIcon>
            <Confirm
              title="Delete this chat?"
              text="Its messages go with it."
              action="Delete chat"
              onConfirm={() => remove.mutate({ agent_id: agentId, chat_id: chat.id })}
            >
              {(ask) => (
                <ActionIcon variant="subtle" color="gray" aria-label="Delete this chat" onClick={ask}>
                  <IconTrash size={17} />
                </ActionIcon>
              )}
            </Confirm>
          </Group>
        )}
      </Group>
      <Thread agentId={agentId} chatId={chat.id} ownsAgent={ownsAgent} onTurn={onTurn} />
      {renaming && (
        <NameDialog
          title="Rename this chat"
          label="Title"
          start={chat.title}
          action="Rename"
          save={(title) => client.chats.update.mutate({ agent_id: agentId, chat_id: chat.id, title })}
          onSaved={() => {
            onChange()
            dialog.close()
          }}
          onClose={dialog.close}
        />
      )}
    </Card>
  )
}
