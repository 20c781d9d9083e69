import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { formatTime } from '../../../parts/format.ts'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'

interface RestoreProps {
  assistantId: string
  entryId: number
  /** When the entry was made. */
  at: string
}

/** A button that asks, and makes the assistant what an entry of its history has. */
export function Restore({ assistantId, entryId, at }: RestoreProps) {
  const mayWrite = useMayWrite('assistants')
  const restore = useMutation(
    api.assistantVersions.restore.mutationOptions({
      onSuccess({ message }) {
        tellDone(message)
        queryClient.invalidateQueries(api.assistantVersions.pathFilter())
        queryClient.invalidateQueries(api.assistants.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  if (!mayWrite) return null
  return (
    <Confirm
      title="Restore this version?"
      text={`The assistant becomes what it was on ${formatTime(at)}, also on the voice platform. What it is now stays in the history.`}
      action="Restore"
      harmless
      onConfirm={() => restore.mutate({ assistantId, entryId })}
    >
      {(open) => (
        <Button size="xs" loading={restore.isPending} onClick={open}>
          Restore
        </Button>
      )}
    </Confirm>
  )
}
