import { Button, Card, Grid, NavLink, ScrollArea, Skeleton, Stack } from '@mantine/core'
import { IconMessage2, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, client, queryClient } from '../../../api/client.ts'
import { statusOf } from '../../../api/failure.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatAgo } from '../../../parts/format.ts'
import { tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import type { AgentTabProps } from '../tabs.ts'
import { isUnused, OpenChat } from './open-chat.tsx'

const route = getRouteApi('/agents/$agentId')

/** The token's chats with the agent, to read and to go on. */
export default function Chats({ agent, may }: AgentTabProps) {
  const agent_id = agent.id
  const mayWrite = useMayWrite('ai_chat')
  const { chat: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (chat: string, replace = false) => navigate({ search: (old) => ({ ...old, chat }), replace })
  const queryKey = [...api.chats.list.pathKey(), agent_id]
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => client.chats.list.query({ agent_id, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  const refresh = () => queryClient.invalidateQueries(api.chats.pathFilter())
  const start = useMutation(
    api.chats.create.mutationOptions({
      async onSuccess({ data: chat }) {
        await refresh()
        show(chat.id)
      },
      onError: tellFailed,
    }),
  )
  const [removed, setRemoved] = useState<string>()
  const chats = list.data?.pages.flatMap(({ data }) => data).filter(({ id }) => id !== removed) ?? []
  const listed = chats.find(({ id }) => id === chosen)
  // The address may name one that is not among the newest.
  const older = useQuery(
    api.chats.get.queryOptions(
      { agent_id, chat_id: chosen ?? '' },
      { enabled: list.isSuccess && chosen !== undefined && chosen !== removed && !listed, retry: false },
    ),
  )
  const [newest] = chats
  const isGone = [404, 422].includes(statusOf(older.error) ?? 0)
  const named = isGone || chosen === removed ? undefined : older.data?.data
  const open = listed ?? (older.isLoading || (older.error && !isGone) ? named : (named ?? newest))
  // It stays open when another one gets a message.
  useEffect(() => {
    if (open && open.id !== chosen) void show(open.id, true)
  })
  if (older.error && !isGone && !older.data) return <Failed error={older.error} retry={older.refetch} />
  if (list.error && !list.data) return <Failed error={list.error} retry={list.refetch} />
  if (!list.data) return <Skeleton h={320} />
  const onNew = () => {
    if (newest && isUnused(newest)) show(newest.id)
    // A second click may come before the button shows what the first one does.
    else if (queryClient.isMutating({ mutationKey: api.chats.create.mutationKey() }) === 0) start.mutate({ agent_id })
  }
  const begin = mayWrite && (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={onNew}
      loading={start.isPending}
      variant={chats.length === 0 ? 'filled' : 'default'}
    >
      New chat
    </Button>
  )
  if (chats.length === 0) {
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
          <ScrollArea.Autosize mah={{ base: 220, sm: 560 }}>
            {chats.map(({ id, title, last_message_at, created_at }) => (
              <NavLink
                key={id}
                label={title}
                description={formatAgo(last_message_at ?? created_at)}
                active={id === open?.id}
                onClick={() => show(id)}
                component="button"
                style={{ borderRadius: 8 }}
              />
            ))}
            {list.hasNextPage && (
              <Button
                variant="subtle"
                size="xs"
                fullWidth
                loading={list.isFetchingNextPage}
                onClick={() => list.fetchNextPage()}
              >
                Older chats
              </Button>
            )}
            {list.isFetchNextPageError && <Failed error={list.error} />}
          </ScrollArea.Autosize>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 8, lg: 9 }}>
        {open && (
          <OpenChat
            key={open.id}
            agentId={agent_id}
            chat={open}
            ownsAgent={may.own}
            onChange={refresh}
            onRemove={setRemoved}
          />
        )}
      </Grid.Col>
    </Grid>
  )
}
