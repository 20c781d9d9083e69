import { ActionIcon, Group, Loader, Paper, Select, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, queryClient } from '../../../api/client.ts'
import { Failed } from '../../../parts/failed.tsx'
import { formatCount } from '../../../parts/format.ts'
import { Refused } from '../../../parts/refused.tsx'
import { useMayWrite } from '../../../session/access.tsx'

interface ThreadProps {
  agentId: string
  chatId: string
  onTurn: () => void
}

/** A chat's messages and the field for the next one. */
export function Thread({ agentId, chatId, onTurn }: ThreadProps) {
  const ids = { agent_id: agentId, chat_id: chatId }
  const mayWrite = useMayWrite('ai_chat')
  const [text, setText] = useState('')
  const [model, setModel] = useState<string | null>(null)
  const { data: models } = useQuery(api.models.list.queryOptions({}, { staleTime: 60_000 }))
  const { data, error } = useQuery(api.messages.list.queryOptions(ids))
  const send = useMutation(
    api.messages.send.mutationOptions({
      onMutate: () => setText(''),
      async onSuccess() {
        await queryClient.invalidateQueries(api.messages.list.queryFilter(ids))
        onTurn()
      },
      // Before what was typed meanwhile.
      onError: (_error, { content }) => setText((typed) => (typed.trim() === '' ? content : `${content}\n${typed}`)),
    }),
  )
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (text.trim() !== '' && !send.isPending) send.mutate({ ...ids, content: text.trim(), model })
  }
  if (error && !data) return <Failed error={error} />
  if (!data) return <Skeleton h={240} />
  const last = send.data
  return (
    <Stack>
      <Stack gap="xs" role="log" aria-label="Messages">
        {data.data.length === 0 && !send.isPending && <Text c="dimmed">Nothing was said yet.</Text>}
        {data.data.map(({ id, role, content }) => (
          <Paper key={id} className={`turn ${role === 'user' ? 'caller' : 'assistant'}`} p="sm" radius="lg">
            <Text size="sm" className="prose">
              {content}
            </Text>
          </Paper>
        ))}
        {send.isPending && (
          <>
            <Paper className="turn caller" p="sm" radius="lg">
              <Text size="sm" className="prose">
                {send.variables.content}
              </Text>
            </Paper>
            <Loader type="dots" role="status" aria-label="The agent answers" />
          </>
        )}
      </Stack>
      {last && (
        <Text size="xs" c="dimmed" className="numbers">
          {last.model} · {formatCount(last.data.assistant_message.usage.total_tokens)} tokens
          {last.tools_used.length > 0 && ` · ${last.tools_used.join(', ')}`}
        </Text>
      )}
      {send.error && <Refused error={send.error} agentId={agentId} />}
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
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
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
