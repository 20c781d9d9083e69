import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { useMayWrite } from '../../session/access.tsx'

/** Deletes an assistant after a question; nothing for who may not write. */
export function DeleteAssistant({ assistantId, name }: { assistantId: string; name: string }) {
  const navigate = useNavigate()
  const mayWrite = useMayWrite('assistants')
  const remove = useMutation(
    api.assistants.delete.mutationOptions({
      async onSuccess({ message }) {
        tellDone(message)
        await navigate({ to: '/assistants', ignoreBlocker: true })
        queryClient.removeQueries(api.assistants.get.queryFilter({ assistantId }))
        queryClient.invalidateQueries(api.assistants.list.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  if (!mayWrite) return null
  return (
    <Confirm
      title={`Delete ${name}?`}
      text="It is removed here and on the voice platform, with its history. Its phone number stays yours."
      action="Delete assistant"
      onConfirm={() => remove.mutate({ assistantId })}
    >
      {(open) => (
        <Button variant="default" leftSection={<IconTrash size={16} />} loading={remove.isPending} onClick={open}>
          Delete
        </Button>
      )}
    </Confirm>
  )
}
