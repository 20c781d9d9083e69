import { Button, Group, JsonInput, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, queryClient } from '../../../api/client.ts'
import { showErrors } from '../../../parts/form-errors.ts'
import { tellDone } from '../../../parts/saved.ts'

function headersIn(text: string): Record<string, string> | undefined {
  if (text.trim() === '') return undefined
  return JSON.parse(text)
}

const headersProblem = (text: string) => {
  try {
    headersIn(text)
    return null
  } catch {
    return 'This must be a JSON object such as {"X-Api-Key": "..."}.'
  }
}

/** A dialog that registers a tool server for all of the caller's agents. */
export function RegisterConnector({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '', server_url: '', description: '', headers: '' },
    validate: { headers: headersProblem },
  })
  const create = useMutation(
    api.connectors.create.mutationOptions({
      onSuccess({ data }) {
        tellDone(`${data.name} is registered. Switch it on for this agent.`)
        queryClient.invalidateQueries(api.connectors.pathFilter())
        onClose()
      },
      onError: (error) => showErrors(form, error, (path) => path.split('.')[0] ?? path),
    }),
  )
  return (
    <Modal opened onClose={onClose} title="Add a tool server">
      <form
        onSubmit={form.onSubmit(({ headers, ...values }) => create.mutate({ ...values, headers: headersIn(headers) }))}
        noValidate
      >
        <Stack>
          <TextInput label="Name" data-autofocus withAsterisk {...form.getInputProps('name')} />
          <TextInput
            label="Address"
            placeholder="https://tools.example.com/mcp"
            withAsterisk
            {...form.getInputProps('server_url')}
          />
          <TextInput label="Description" {...form.getInputProps('description')} />
          <JsonInput
            label="Headers (JSON)"
            description="Sent with every request; kept encrypted and never shown again."
            placeholder='{"X-Api-Key": "..."}'
            autosize
            minRows={2}
            {...form.getInputProps('headers')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
