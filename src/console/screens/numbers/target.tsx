import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { mayRead, useAccess } from '../../session/access.tsx'
import type { PhoneNumber } from './list.tsx'

/** Who answers a number's calls, by name where that may be known; undefined for nobody. */
export function useTarget(number: PhoneNumber): { kind: string; name: string } | undefined {
  const { assistant, voice_assistant_id, voice_squad_id, voice_workflow_id } = number
  const access = useAccess()
  const squad = useQuery(
    api.squads.get.queryOptions(
      { id: voice_squad_id ?? '' },
      { enabled: voice_squad_id !== null && mayRead(access, 'squads'), staleTime: 60_000 },
    ),
  )
  if (voice_squad_id) return { kind: 'squad', name: squad.data?.data.name ?? `${voice_squad_id.slice(0, 8)}…` }
  if (voice_workflow_id) return { kind: 'workflow', name: `${voice_workflow_id.slice(0, 8)}…` }
  if (assistant) return { kind: 'assistant', name: assistant.name }
  return voice_assistant_id ? { kind: 'assistant', name: `${voice_assistant_id.slice(0, 8)}…` } : undefined
}

/** Who answers a number's calls, and what kind that is. */
export function Target({ number }: { number: PhoneNumber }) {
  const target = useTarget(number)
  if (target) return <Kind {...target} />
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
