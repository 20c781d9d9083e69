import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { Overview } from './home.tsx'

const names: Record<keyof Overview['parts'], string> = {
  database: 'Database',
  voice_platform: 'Voice platform',
  language_model: 'Language model',
  embedder: 'Embedder',
  carrier: 'Carrier',
}

const kinds: Record<string, string> = {
  embedded: 'embedded',
  postgresql: 'PostgreSQL',
  live: 'live',
  'built-in': 'built in',
  configured: 'configured',
  twilio: 'Twilio',
}

/** What the installation is made of, and whether each part works. */
export function Health({ overview: { parts } }: { overview: Overview }) {
  return (
    <Card>
      <Title order={2} size="h5" mb="md">
        Health
      </Title>
      <Stack gap="md">
        {(Object.keys(names) as (keyof Overview['parts'])[]).map((name) => {
          const part = parts[name]
          const { kind, working } = part
          return (
            <Group key={name} justify="space-between" wrap="nowrap">
              <div>
                <Text size="sm" fw={600}>
                  {names[name]}
                </Text>
                <Text size="sm" c="dimmed">
                  {kinds[kind] ?? kind}
                  {'id' in part && `: ${part.id}`}
                </Text>
              </div>
              <Badge color={working ? 'teal' : 'red'} variant="light">
                {working ? 'works' : 'fails'}
              </Badge>
            </Group>
          )
        })}
      </Stack>
    </Card>
  )
}
