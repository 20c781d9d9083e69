import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import type { AgentTabProps } from './tabs.ts'

/** A button that deletes an agent. */
export function DeleteAgent({ agent }: Pick<AgentTabProps, 'agent'>) {
  const navigate = useNavigate()
  const remove = useMutation(
    api.agents.delete.mutationOptions({
      async onSuccess() {
        tellDone('The agent is deleted.')
        await navigate({ to: '/agents', ignoreBlocker: true })
        queryClient.invalidateQueries(api.agents.list.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  return (
    <Confirm
      title={`Delete ${agent.name}?`}
      text="Its files, chats and memory go with it, also for everybody with whom it is shared."
      action="Delete agent"
      onConfirm={() => remove.mutate({ agent_id: agent.id })}
    >
      {(ask) => (
        <Button variant="default" leftSection={<IconTrash size={16} />} onClick={ask} loading={remove.isPending}>
          Delete
        </Button>
      )}
    </Confirm>
  )
}
