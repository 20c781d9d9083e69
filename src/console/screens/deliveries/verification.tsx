import { Anchor, Card, Code, Group, Stack, Text, Title } from '@mantine/core'
import { serverUrl } from '../../api/address.ts'
import { Copy } from '../../parts/copy.tsx'

const code = `import { timingSafeEqual } from 'node:crypto'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Whether a request to your webhook carries the secret of the number's server block. */
export function isGenuine(headers: Headers, secret: string): boolean {
  const given = bytes(headers.get('x-vapi-secret') ?? '')
  const expected = bytes(secret)
  return given.length === expected.length && timingSafeEqual(given, expected)
}`

/** How a receiver tells a genuine webhook from another's request. */
export function Verification() {
  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Verify them
          </Title>
          <Copy value={code} what="the code that verifies a webhook" />
        </Group>
        <Text size="sm" c="dimmed">
          Only a number's server block authenticates its webhooks. Its secret comes in a header; the{' '}
          <Anchor href={`${serverUrl}/docs`} underline="always">
            documentation
          </Anchor>{' '}
          names the other ways.
        </Text>
        <Code block tabIndex={0}>
          {code}
        </Code>
      </Stack>
    </Card>
  )
}
