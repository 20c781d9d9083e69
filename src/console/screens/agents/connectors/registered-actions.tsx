import { ActionIcon, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { ConnectorDialog, type Registered } from './connector-dialog.tsx'

/** Buttons that change and delete a tool server of the caller's registry. */
export function RegisteredActions({ registered }: { registered: Registered }) {
  const { uid, name } = registered
  const [changing, dialog] = useDisclosure(false)
  const remove = useMutation(
    api.connectors.delete.mutationOptions({
      onSuccess() {
        tellDone(`${name} is deleted.`)
        queryClient.invalidateQueries(api.connectors.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon variant="subtle" color="gray" aria-label={`Change ${name}`} onClick={dialog.open}>
        <IconPencil size={17} />
      </ActionIcon>
      <Confirm
        title={`Delete ${name}?`}
        text="Every agent that uses it loses its tools."
        action="Delete tool server"
        onConfirm={() => remove.mutate({ connector_id: uid })}
      >
        {(ask) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Delete ${name}`}
            onClick={ask}
            loading={remove.isPending}
          >
            <IconTrash size={17} />
          </ActionIcon>
        )}
      </Confirm>
      {changing && <ConnectorDialog registered={registered} onClose={dialog.close} />}
    </Group>
  )
}
