import { ActionIcon, Button, Card, Group, NumberInput, Select, Stack, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUserPlus, IconUsers, IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queryClient } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { Listing } from '../../parts/listing.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import type { AgentTabProps } from './tabs.ts'

const levels = [
  { value: 'view', label: 'May look' },
  { value: 'edit', label: 'May change' },
]

const nameOf = ({ user_id, name }: { user_id: number; name: string | null }) => name ?? `User ${user_id}`

/** Who else may use the agent; only its owner sees this. */
export default function Shares({ agent, may }: AgentTabProps) {
  const agent_id = agent.id
  const list = useQuery(api.agentShares.list.queryOptions({ agent_id }))
  const form = useForm({
    initialValues: { user_id: '' as number | '', access: 'view' as 'view' | 'edit', mcp_access: true },
  })
  const refresh = () => queryClient.invalidateQueries(api.agentShares.list.queryFilter({ agent_id }))
  const put = useMutation(
    api.agentShares.put.mutationOptions({
      onSuccess() {
        tellDone('The agent is shared.')
        form.reset()
        refresh()
      },
      onError: (error) =>
        statusOf(error) === 404 ? form.setFieldError('user_id', 'There is no such user.') : showErrors(form, error),
    }),
  )
  const end = useMutation(api.agentShares.delete.mutationOptions({ onSuccess: refresh, onError: tellFailed }))
  return (
    <Stack>
      {may.own && (
        <Card>
          <form
            onSubmit={form.onSubmit(({ user_id, ...rest }) =>
              user_id === ''
                ? form.setFieldError('user_id', 'Name a user.')
                : put.mutate({ agent_id, user_id, ...rest }),
            )}
          >
            <Group align="flex-end" gap="md">
              <NumberInput label="User's id" min={1} hideControls w={140} {...form.getInputProps('user_id')} />
              <Select label="Access" data={levels} allowDeselect={false} w={160} {...form.getInputProps('access')} />
              <Switch label="May talk to it" mb={8} {...form.getInputProps('mcp_access', { type: 'checkbox' })} />
              <Button type="submit" leftSection={<IconUserPlus size={16} />} loading={put.isPending}>
                Share
              </Button>
            </Group>
          </form>
        </Card>
      )}
      <Card padding={0}>
        <Listing
          list={list}
          empty={
            <Empty icon={<IconUsers size={28} />} title="Not shared yet">
              Only you may use this agent. A share is for one user of this installation; ask that person for the id.
            </Empty>
          }
          columns={[
            {
              head: 'User',
              cell: ({ user_id, name, email }) => (
                <>
                  {nameOf({ user_id, name })} <span className="dimmed">{email}</span>
                </>
              ),
            },
            { head: 'Access', cell: ({ access }) => (access === 'edit' ? 'May change' : 'May look') },
            { head: 'Talks', cell: ({ mcp_access }) => (mcp_access ? 'Yes' : 'No') },
            {
              label: 'Actions',
              align: 'right',
              cell: ({ user_id, name }) =>
                may.own && (
                  <Confirm
                    title={`End the share with ${nameOf({ user_id, name })}?`}
                    text="The agent and the chats with it are gone for this user until you share it again."
                    action="End share"
                    onConfirm={() => end.mutate({ agent_id, user_id })}
                  >
                    {(ask) => (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`End the share with ${nameOf({ user_id, name })}`}
                        onClick={ask}
                      >
                        <IconX size={16} />
                      </ActionIcon>
                    )}
                  </Confirm>
                ),
            },
          ]}
          id={({ user_id }) => user_id}
          minWidth={460}
        />
      </Card>
    </Stack>
  )
}
