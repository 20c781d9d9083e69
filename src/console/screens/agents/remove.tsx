import { Button } from '@mantine/core'
import { IconDoorExit, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, client, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import type { AgentTabProps } from './tabs.ts'

const deletion = {
  action: 'Delete',
  icon: <IconTrash size={16} />,
  text: 'Its files, chats and memory go with it, also for everybody with whom it is shared.',
  done: 'The agent is deleted.',
  run: (agent_id: string): Promise<unknown> => client.agents.delete.mutate({ agent_id }),
}

const leave = {
  action: 'Leave',
  icon: <IconDoorExit size={16} />,
  text: 'It is gone for you, with your chats, until its owner shares it with you again.',
  done: 'The agent is no longer shared with you.',
  run: (agent_id: string): Promise<unknown> => client.agentShares.leave.mutate({ agent_id }),
}

/** A button that deletes an agent of one's own, or ends the caller's share of another one's. */
export function RemoveAgent({ agent, own }: Pick<AgentTabProps, 'agent'> & { own: boolean }) {
  const navigate = useNavigate()
  const { action, icon, text, done, run } = own ? deletion : leave
  const remove = useMutation({
    mutationFn: () => run(agent.id),
    async onSuccess() {
      tellDone(done)
      await navigate({ to: '/agents', ignoreBlocker: true })
      queryClient.invalidateQueries(api.agents.list.pathFilter())
    },
    onError: tellFailed,
  })
  return (
    <Confirm
      title={`${action} ${agent.name}?`}
      text={text}
      action={`${action} agent`}
      onConfirm={() => remove.mutate()}
    >
      {(ask) => (
        <Button variant="default" leftSection={icon} onClick={ask} loading={remove.isPending}>
          {action}
        </Button>
      )}
    </Confirm>
  )
}
