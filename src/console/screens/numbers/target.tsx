import { Badge, Group, Text } from '@mantine/core'
import type { PhoneNumber } from './list.tsx'

/** Who answers a number's calls, and what kind that is. */
export function Target({ number }: { number: PhoneNumber }) {
  const { assistant, voice_assistant_id, voice_squad_id, voice_workflow_id } = number
  if (voice_squad_id) return <Kind kind="squad" name={`${voice_squad_id.slice(0, 8)}…`} />
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
