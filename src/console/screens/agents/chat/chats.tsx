import { ActionIcon, Button, Card, Grid, Group, NavLink, ScrollArea, Skeleton, Stack, Text } from '@mantine/core'
import { IconMessage2, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatAgo } from '../../../parts/format.ts'
import { tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import type { AgentTabProps } from '../tabs.ts'
import { Thread } from './thread.tsx'

/** The token's chats with the agent, to read and to go on. */
export default function Chats({ agent }: AgentTabProps) {
  const agent_id = agent.id
  const mayWrite = useMayWrite('ai_chat')
  const [chosen, setChosen] = useState<string>()
  const { data, error, refetch } = useQuery(api.chats.list.queryOptions({ agent_id }))
  const refresh = () => queryClient.invalidateQueries(api.chats.list.queryFilter({ agent_id }))
  const start = useMutation(
    api.chats.create.mutationOptions({
      async onSuccess({ data: chat }) {
        await refresh()
        setChosen(chat.id)
      },
      onError: tellFailed,
    }),
  )
  const remove = useMutation(
    api.chats.delete.mutationOptions({
      onSuccess() {
        setChosen(undefined)
        refresh()
      },
      onError: tellFailed,
    }),
  )
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={320} />
  const open = chosen ?? data.data[0]?.id
  const begin = mayWrite && (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => start.mutate({ agent_id })}
      loading={start.isPending}
      variant={data.data.length === 0 ? 'filled' : 'default'}
    >
      New chat
    </Button>
  )
  if (data.data.length === 0) {
    return (
      <Card>
        <Empty icon={<IconMessage2 size={28} />} title="No chat yet" action={begin}>
          Ask the agent something. Each token sees its own chats only.
        </Empty>
      </Card>
    )
  }
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, sm: 4, lg: 3 }}>
        <Stack gap="xs">
          {begin}
          <ScrollArea.Autosize mah={560}>
            {data.data.map(({ id, title, last_message_at, created_at }) => (
              <NavLink
                key={id}
                label={title}
                description={formatAgo(last_message_at ?? created_at)}
                active={id === open}
                onClick={() => setChosen(id)}
                component="button"
                style={{ borderRadius: 8 }}
              />
            ))}
          </ScrollArea.Autosize>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 8, lg: 9 }}>
        {open && (
          <Card>
            <Group justify="space-between" mb="sm">
              <Text fw={600}>{data.data.find(({ id }) => id === open)?.title}</Text>
              {mayWrite && (
                <Confirm
                  title="Delete this chat?"
                  text="Its messages go with it."
                  action="Delete chat"
                  onConfirm={() => remove.mutate({ agent_id, chat_id: open })}
                >
                  {(ask) => (
                    <ActionIcon variant="subtle" color="gray" aria-label="Delete this chat" onClick={ask}>
                      <IconTrash size={17} />
                    </ActionIcon>
                  )}
                </Confirm>
              )}
            </Group>
            <Thread key={open} agentId={agent_id} chatId={open} onTurn={refresh} />
          </Card>
        )}
      </Grid.Col>
    </Grid>
  )
}
