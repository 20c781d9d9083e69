import { Button } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import type { AgentTabProps } from './tabs.ts'

/** A button that ends the caller's share of an agent. */
export function LeaveAgent({ agent }: Pick<AgentTabProps, 'agent'>) {
  const navigate = useNavigate()
  const leave = useMutation(
    api.agentShares.leave.mutationOptions({
      async onSuccess() {
        tellDone('The agent is no longer shared with you.')
        await navigate({ to: '/agents', ignoreBlocker: true })
        queryClient.invalidateQueries(api.agents.list.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  return (
    <Confirm
      title={`Leave ${agent.name}?`}
      text="It is gone for you, with your chats, until its owner shares it with you again."
      action="Leave agent"
      onConfirm={() => leave.mutate({ agent_id: agent.id })}
    >
      {(ask) => (
        <Button variant="default" leftSection={<IconDoorExit size={16} />} onClick={ask} loading={leave.isPending}>
          Leave
        </Button>
      )}
    </Confirm>
  )
}
