import { JsonInput, Modal, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, client, queryClient } from '../../../api/client.ts'
import { changedFields, same } from '../../../parts/changes.ts'
import { DialogButtons } from '../../../parts/dialog-buttons.tsx'
import { showErrors } from '../../../parts/form-errors.ts'
import { tellDone } from '../../../parts/saved.ts'
import { useAskedClose } from '../../../parts/unsaved.ts'

/** A tool server of the caller's registry. */
export type Registered = Awaited<ReturnType<typeof client.connectors.list.query>>['data'][number]

interface ConnectorDialogProps {
  /** The one to change; without it another is registered. */
  registered?: Registered
  onClose: () => void
}

function headersIn(text: string): Record<string, string> | undefined {
  if (text.trim() === '') return undefined
  return JSON.parse(text)
}

const notHeaders = 'This must be a JSON object such as {"X-Api-Key": "..."}.'

const headersProblem = (text: string) => {
  try {
    headersIn(text)
    return null
  } catch {
    return notHeaders
  }
}

/**
 * A dialog that registers a tool server for all of the caller's agents, or changes one. Headers left empty stay as they
 * are.
 */
export function ConnectorDialog({ registered, onClose }: ConnectorDialogProps) {
  const { name = '', server_url = '', description = '', active = true } = registered ?? {}
  const start = { name, server_url, description, active, headers: '' }
  const form = useForm({ initialValues: start, validate: { headers: headersProblem } })
  const save = useMutation({
    mutationFn(values: typeof start) {
      const headers = headersIn(values.headers)
      return registered
        ? client.connectors.update.mutate({ ...changedFields(start, values), headers, connector_id: registered.uid })
        : client.connectors.create.mutate({ ...values, headers })
    },
    onSuccess({ data }) {
      tellDone(registered ? `${data.name} is saved.` : `${data.name} is registered. Switch it on for this agent.`)
      queryClient.invalidateQueries(api.connectors.pathFilter())
      onClose()
    },
    onError: (error) => showErrors(form, error, (path) => path.split('.')[0] ?? path),
  })
  const close = useAskedClose(!same(form.values, start), onClose)
  return (
    <Modal opened onClose={close} title={registered ? 'Change the tool server' : 'Add a tool server'}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
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
            description={
              registered
                ? 'Those that are stored are not shown, and stay while this is empty. What you write takes their place; {} removes them.'
                : 'Sent with every request; kept encrypted and never shown again.'
            }
            placeholder='{"X-Api-Key": "..."}'
            autosize
            minRows={2}
            validationError={notHeaders}
            {...form.getInputProps('headers')}
          />
          {registered && <Switch label="Agents may use it" {...form.getInputProps('active', { type: 'checkbox' })} />}
          <DialogButtons action={registered ? 'Save' : 'Add'} isBusy={save.isPending} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
