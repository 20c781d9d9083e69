import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMayWrite } from '../../session/access.tsx'
import type { MemberNode, Undrawn } from './drawing.ts'

interface UndrawnHandOffsProps {
  nodes: readonly MemberNode[]
  undrawn: readonly Undrawn[]
  onRemove: (one: Undrawn) => void
}

/** The hand-offs that the drawing cannot show, as they lead to a name that no member has now. */
export function UndrawnHandOffs({ nodes, undrawn, onRemove }: UndrawnHandOffsProps) {
  const mayWrite = useMayWrite('squads')
  const rows = undrawn.flatMap((one) => {
    const from = nodes.find(({ id }) => id === one.source)
    return from ? [{ one, from: from.data.name, to: one.destination.assistantName }] : []
  })
  if (rows.length === 0) return null
  return (
    <Alert color="yellow" title="Not in the drawing">
      <Text size="sm">These hand-offs lead to a name that no member has now. They stay until you take them away.</Text>
      <Stack gap="xs" mt="sm">
        {rows.map(({ one, from, to }) => (
          <Group key={`${from} ${to} ${undrawn.indexOf(one)}`} justify="space-between">
            <Text size="sm">
              {from} to {to}
            </Text>
            {mayWrite && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Take away the hand-off from ${from} to ${to}`}
                onClick={() => onRemove(one)}
              >
                Take away
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Alert>
  )
}
