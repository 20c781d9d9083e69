import { Badge, Box, Code, Paper, Stack, Text } from '@mantine/core'
import type { client } from '../../../api/client.ts'

/** A message as the API lists it. */
export type Message = Awaited<ReturnType<typeof client.messages.list.query>>['data'][number]

/** What was said, and on what side. */
export function Said({ by, text }: { by: Message['role']; text: string }) {
  return (
    <Paper className={`turn ${by === 'user' ? 'caller' : 'assistant'}`} p="sm" radius="lg">
      {by === 'system' && (
        <Text size="xs" fw={600} className="who">
          System
        </Text>
      )}
      <Text size="sm" className="prose">
        {text}
      </Text>
    </Paper>
  )
}

/** A message, and below a reply the files that it names and the tools that it called. */
export function StoredMessage({ role, content, citations = [], tool_uses = [] }: Message) {
  if (citations.length === 0 && tool_uses.length === 0) return <Said by={role} text={content} />
  return (
    <Stack gap={4}>
      <Said by={role} text={content} />
      {citations.length > 0 && (
        <Text size="xs" c="dimmed" className="prose" px="sm">
          From {citations.map(({ file, heading }) => (heading === null ? file : `${file}, ${heading}`)).join('; ')}
        </Text>
      )}
      {tool_uses.map(({ name, arguments: sent, result, failed }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other name than their place
        <Box key={index} component="details" className="tool-use" px="sm">
          <summary>
            Called {name} {failed && <Badge color="red">failed</Badge>}
          </summary>
          <Code block className="wrapped">
            {sent}
          </Code>
          <Code block className="wrapped" mt={4}>
            {result}
          </Code>
        </Box>
      ))}
    </Stack>
  )
}
