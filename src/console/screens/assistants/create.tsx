import { Anchor, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { DialogButtons } from '../../parts/dialog-buttons.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { tellDone } from '../../parts/saved.ts'
import { useAskedClose } from '../../parts/unsaved.ts'

/** A dialog that makes an assistant from a name, a greeting and a prompt, and goes to it. */
export function CreateAssistant({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: '', type: 'demo' as 'demo' | 'production', firstMessage: '', prompt: '' },
  })
  const create = useMutation(
    api.assistants.create.mutationOptions({
      onSuccess({ message, data }) {
        tellDone(message)
        queryClient.invalidateQueries(api.assistants.pathFilter())
        navigate({ to: '/assistants/$assistantId', params: { assistantId: data.assistant_id }, ignoreBlocker: true })
      },
      onError: (error) => showErrors(form, error, (path) => (path.startsWith('model.messages') ? 'prompt' : path)),
    }),
  )
  const close = useAskedClose(form.isDirty(), onClose)
  const submit = form.onSubmit(({ name, type, firstMessage, prompt }) =>
    create.mutate({
      name,
      type,
      firstMessage: firstMessage || undefined,
      model: prompt ? { messages: [{ role: 'system', content: prompt }] } : undefined,
    }),
  )
  return (
    <Modal opened onClose={close} title="New assistant" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            With your own texts. To begin with those of an industry,{' '}
            <Anchor component={Link} to="/build" size="sm" underline="always">
              build it from layers
            </Anchor>
            .
          </Text>
          <TextInput
            label="Name"
            placeholder="Front desk"
            data-autofocus
            withAsterisk
            {...form.getInputProps('name')}
          />
          <Textarea
            label="Greeting"
            description="What it says when it picks up."
            placeholder="Hello, how can I help?"
            autosize
            minRows={2}
            {...form.getInputProps('firstMessage')}
          />
          <Textarea
            label="Prompt"
            description="Who it is and what it shall do. It can be changed at any time."
            placeholder="You are the receptionist of a dental practice. Be brief and kind."
            autosize
            minRows={4}
            maxRows={14}
            {...form.getInputProps('prompt')}
          />
          <Select
            label="Type"
            description="A mark for you: both work in the same way."
            data={['demo', 'production']}
            allowDeselect={false}
            {...form.getInputProps('type')}
          />
          <DialogButtons action="Create assistant" isBusy={create.isPending || create.isSuccess} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
