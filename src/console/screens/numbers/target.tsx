import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { mayRead, useAccess } from '../../session/access.tsx'
import type { PhoneNumber } from './list.tsx'

/** Who answers a number's calls, and what kind that is. */
export function Target({ number }: { number: PhoneNumber }) {
  const { assistant, voice_assistant_id, voice_squad_id, voice_workflow_id } = number
  const access = useAccess()
  const squads = useQuery(
    api.squads.list.queryOptions(
      { per_page: 100 },
      { enabled: voice_squad_id !== null && mayRead(access, 'squads'), staleTime: 60_000 },
    ),
  )
  if (voice_squad_id) {
    const squad = squads.data?.data.find(({ external_squad_id }) => external_squad_id === voice_squad_id)
    return <Kind kind="squad" name={squad?.name ?? `${voice_squad_id.slice(0, 8)}…`} />
  }
  if (voice_workflow_id) return <Kind kind="workflow" name={`${voice_workflow_id.slice(0, 8)}…`} />
  if (assistant) return <Kind kind="assistant" name={assistant.name} />
  if (voice_assistant_id) return <Kind kind="assistant" name={`${voice_assistant_id.slice(0, 8)}…`} />
  return (
    <Text size="sm" c="dimmed">
      Nobody: calls are not answered
    </Text>
  )
}

function Kind({ kind, name }: { kind: string; name: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Badge color="gray">{kind}</Badge>
    </Group>
  )
}
