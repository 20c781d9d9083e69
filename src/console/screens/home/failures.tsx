import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatAgo, formatWord } from '../../parts/format.ts'
import type { Overview } from './home.tsx'

/** The webhooks that were given up lately. */
export function Failures({ failures }: { failures: Overview['failures'] }) {
  return (
    <Card>
      <Title order={2} size="h5" mb="md">
        What failed lately
      </Title>
      {failures.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing: no webhook was given up.
        </Text>
      )}
      <Stack gap="sm">
        {failures.map(({ delivery_id, assistant_id, assistant_name, type, reason, at }) => (
          <Group key={delivery_id} justify="space-between" wrap="nowrap">
            <div>
              <Anchor
                component={Link}
                to={`/assistants/${assistant_id}?filter=webhooks`}
                size="sm"
                fw={600}
                underline="always"
              >
                {formatWord(type)} of {assistant_name}
              </Anchor>
              <Text size="sm" c="dimmed">
                {reason}
              </Text>
            </div>
            <Text size="sm" c="dimmed">
              {formatAgo(at)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
