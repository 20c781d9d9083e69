import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { showErrors } from '../../../parts/form-errors.ts'
import type { Chat } from './open-chat.tsx'

interface RenameChatProps {
  agentId: string
  chat: Chat
  onClose: () => void
  onDone: () => void
}

/** A dialog that gives a chat another title. */
export function RenameChat({ agentId, chat, onClose, onDone }: RenameChatProps) {
  const form = useForm({ initialValues: { title: chat.title } })
  const rename = useMutation(
    api.chats.update.mutationOptions({
      onSuccess() {
        onDone()
        onClose()
      },
      onError: (error) => showErrors(form, error),
    }),
  )
  return (
    <Modal opened onClose={onClose} title="Rename this chat">
      <form
        onSubmit={form.onSubmit(({ title }) => rename.mutate({ agent_id: agentId, chat_id: chat.id, title }))}
        noValidate
      >
        <Stack>
          <TextInput label="Title" data-autofocus withAsterisk {...form.getInputProps('title')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
