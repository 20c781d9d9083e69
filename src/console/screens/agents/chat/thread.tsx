import { ActionIcon, Box, Button, Group, Loader, Select, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { type MutationState, useInfiniteQuery, useMutation, useMutationState, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { api, client, queryClient } from '../../../api/client.ts'
import { Failed } from '../../../parts/failed.tsx'
import { formatCount } from '../../../parts/format.ts'
import { useKept } from '../../../parts/kept.ts'
import { Refused } from '../../../parts/refused.tsx'
import { useUnsent } from '../../../parts/unsaved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import { Said, StoredMessage } from './message.tsx'

interface ThreadProps {
  agentId: string
  chatId: string
  /** Its budget is for the owner to see. */
  ownsAgent: boolean
  /** Called after a turn, with what was sent. */
  onTurn: (content: string) => void
}

type Sent = Parameters<typeof client.messages.send.mutate>[0]
type Sending = MutationState<Awaited<ReturnType<typeof client.messages.send.mutate>>, Error, Sent>

/** The message that was sent last to a chat from here, whichever screen was shown since. */
function useLastSent(chatId: string): Sending | undefined {
  const sent = useMutationState({
    filters: { mutationKey: api.messages.send.mutationKey() },
    select: ({ state }) => state as Sending,
  })
  return sent.findLast(({ variables }) => variables?.chat_id === chatId)
}

/** A chat's messages, the newest in sight, and the field for the next one. */
export function Thread({ agentId, chatId, ownsAgent, onTurn }: ThreadProps) {
  const ids = { agent_id: agentId, chat_id: chatId }
  const mayWrite = useMayWrite('ai_chat')
  const [draft, setDraft] = useKept('draft', chatId, '')
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
      onMutate: () => setDraft(() => ''),
      async onSuccess(_sent, { content }) {
        await queryClient.invalidateQueries({ queryKey })
        onTurn(content)
      },
      // Before what was typed meanwhile.
      onError: (_error, { content }) => setDraft((typed) => (typed.trim() === '' ? content : `${content}\n${typed}`)),
    }),
  )
  const last = useLastSent(chatId)
  const isSending = last?.status === 'pending'
  useUnsent(isSending || draft.trim() !== '')
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (draft.trim() === '' || isSending) return
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
          {messages.length === 0 && !isSending && <Text c="dimmed">Nothing was said yet.</Text>}
          {messages.map((message) => (
            <StoredMessage key={message.id} {...message} />
          ))}
          {isSending && (
            <>
              <Said by="user" text={last.variables?.content ?? ''} />
              <Loader type="dots" role="status" aria-label="The agent answers" />
            </>
          )}
        </Stack>
      </Box>
      {last?.data && (
        <Text size="xs" c="dimmed" className="numbers">
          {last.data.model} · {formatCount(last.data.data.assistant_message.usage.total_tokens)} tokens
          {last.data.tools_used.length > 0 && ` · ${last.data.tools_used.join(', ')}`}
        </Text>
      )}
      {last?.error && <Refused error={last.error} agentId={ownsAgent ? agentId : undefined} />}
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
              onChange={({ currentTarget: { value } }) => setDraft(() => value)}
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
            <ActionIcon type="submit" size={36} aria-label="Send" loading={isSending}>
              <IconSend2 size={18} />
            </ActionIcon>
          </Group>
        </form>
      )}
    </Stack>
  )
}
