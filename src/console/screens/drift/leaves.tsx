import { Code, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Difference } from './kinds.ts'

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function Side({ name, value, kind }: { name: string; value: unknown; kind: 'ours' | 'theirs' }) {
  const text = textOf(value)
  return (
    <Stack gap={2} miw={0}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" className={`side prose ${kind}`} component="div">
        {text === '' ? <span className="dimmed">nothing</span> : text}
      </Text>
    </Stack>
  )
}

/** Value by value, what the record says and what the voice platform has. */
export function Leaves({ leaves }: { leaves: Difference['leaves'] }) {
  return (
    <Stack gap="md">
      {leaves.map(({ path, ours, theirs }) => (
        <Stack key={path} gap={4}>
          <Code w="fit-content">{path}</Code>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Side name="The record" value={ours} kind="ours" />
            <Side name="The voice platform" value={theirs} kind="theirs" />
          </SimpleGrid>
        </Stack>
      ))}
    </Stack>
  )
}
