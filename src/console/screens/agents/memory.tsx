import { ActionIcon, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failed } from '../../parts/failed.tsx'
import { tellFailed } from '../../parts/saved.ts'

/** What the agent remembers, note by note; its owner makes it forget one. */
export function Memory({ agentId, mayForget }: { agentId: string; mayForget: boolean }) {
  const { data, error } = useQuery(api.agentMemory.list.queryOptions({ agent_id: agentId }))
  const forget = useMutation(
    api.agentMemory.delete.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.agentMemory.pathFilter()),
      onError: tellFailed,
    }),
  )
  return (
    <Card>
      <Title order={2} size="h5" mb="xs">
        Memory
      </Title>
      {error && <Failed error={error} />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          It remembers nothing yet. After some turns it keeps what will matter later, and reads it before every chat.
        </Text>
      )}
      <Stack gap="xs">
        {data?.data.map(({ id, date, text }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text size="sm" className="prose">
              {text} <span className="dimmed">{date}</span>
            </Text>
            {mayForget && (
              <Confirm
                title="Forget this note?"
                text={text}
                action="Forget note"
                onConfirm={() => forget.mutate({ agent_id: agentId, note_id: id })}
              >
                {(ask) => (
                  <ActionIcon variant="subtle" color="gray" aria-label={`Forget: ${text}`} onClick={ask}>
                    <IconX size={16} />
                  </ActionIcon>
                )}
              </Confirm>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
