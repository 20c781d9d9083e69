import { ActionIcon, Box, Button, Group, Loader, Select, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { api, client, queryClient } from '../../../api/client.ts'
import { Failed } from '../../../parts/failed.tsx'
import { formatCount } from '../../../parts/format.ts'
import { Refused } from '../../../parts/refused.tsx'
import { useMayWrite } from '../../../session/access.tsx'
import { Said, StoredMessage } from './message.tsx'

interface ThreadProps {
  agentId: string
  chatId: string
  /** Its budget is for the owner to see. */
  ownsAgent: boolean
  draft: string
  onDraft: (change: (typed: string) => string) => void
  onTurn: () => void
}

/** A chat's messages, the newest in sight, and the field for the next one. */
export function Thread({ agentId, chatId, ownsAgent, draft, onDraft, onTurn }: ThreadProps) {
  const ids = { agent_id: agentId, chat_id: chatId }
  const mayWrite = useMayWrite('ai_chat')
  const [model, setModel] = useState<string | null>(null)
  const log = useRef<HTMLDivElement>(null)
  const { data: models } = useQuery(api.models.list.queryOptions({}, { staleTime: 60_000 }))
  const queryKey = [...api.messages.list.pathKey(), chatId]
  const thread = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => client.messages.list.query({ ...ids, before_id: pageParam, include: 'sources' }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ data: [oldest], has_more }) => (has_more ? oldest?.id : undefined),
  })
  const send = useMutation(
    api.messages.send.mutationOptions({
      onMutate: () => onDraft(() => ''),
      async onSuccess() {
        await queryClient.invalidateQueries({ queryKey })
        onTurn()
      },
      // Before what was typed meanwhile.
      onError: (_error, { content }) => onDraft((typed) => (typed.trim() === '' ? content : `${content}\n${typed}`)),
    }),
  )
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (draft.trim() === '' || send.isPending) return
    send.mutate({ ...ids, content: draft.trim(), model })
    // The place of the log is counted from its end.
    log.current?.scrollTo({ top: 0 })
  }
  const showOlder = async () => {
    await thread.fetchNextPage()
    // The button is far above now, or gone.
    log.current?.focus({ preventScroll: true })
  }
  if (thread.error && !thread.data) return <Failed error={thread.error} retry={thread.refetch} />
  if (!thread.data) return <Skeleton h={240} />
  const messages = thread.data.pages.toReversed().flatMap(({ data }) => data)
  const last = send.data
  return (
    <Stack>
      <Box ref={log} className="thread" role="log" aria-label="Messages" tabIndex={0}>
        <Stack gap="xs">
          {thread.isFetchNextPageError && <Failed error={thread.error} />}
          {thread.hasNextPage && (
            <Button variant="subtle" size="xs" mx="auto" loading={thread.isFetchingNextPage} onClick={showOlder}>
              Older messages
            </Button>
          )}
          {messages.length === 0 && !send.isPending && <Text c="dimmed">Nothing was said yet.</Text>}
          {messages.map((message) => (
            <StoredMessage key={message.id} {...message} />
          ))}
          {send.isPending && (
            <>
              <Said by="user" text={send.variables.content} />
              <Loader type="dots" role="status" aria-label="The agent answers" />
            </>
          )}
        </Stack>
      </Box>
      {last && (
        <Text size="xs" c="dimmed" className="numbers">
          {last.model} · {formatCount(last.data.assistant_message.usage.total_tokens)} tokens
          {last.tools_used.length > 0 && ` · ${last.tools_used.join(', ')}`}
        </Text>
      )}
      {send.error && <Refused error={send.error} agentId={ownsAgent ? agentId : undefined} />}
      {mayWrite && (
        <form onSubmit={submit}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <Textarea
              aria-label="Message"
              placeholder="Ask something; Enter sends, Shift and Enter begins a line"
              autosize
              minRows={1}
              maxRows={8}
              flex={1}
              value={draft}
              onChange={({ currentTarget: { value } }) => onDraft(() => value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
                event.preventDefault()
                submit()
              }}
            />
            {(models?.data.length ?? 0) > 1 && (
              <Select
                aria-label="Model"
                placeholder="Default model"
                clearable
                visibleFrom="sm"
                w={190}
                data={models?.data.filter(({ available }) => available).map(({ id, label }) => ({ value: id, label }))}
                value={model}
                onChange={setModel}
              />
            )}
            <ActionIcon type="submit" size={36} aria-label="Send" loading={send.isPending}>
              <IconSend2 size={18} />
            </ActionIcon>
          </Group>
        </form>
      )}
    </Stack>
  )
}
