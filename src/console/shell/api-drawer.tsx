import { Alert, Badge, Code, Drawer, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { serverUrl } from '../api/address.ts'
import { type RecordedCall, recordedCalls } from '../api/record.ts'
import { curlOf, type Description, typescriptOf } from '../api/snippets.ts'
import { Copy } from '../parts/copy.tsx'

const languages = [
  { label: 'curl', value: 'curl' },
  { label: 'TypeScript', value: 'typescript' },
]

async function readDescription(): Promise<Description> {
  const response = await fetch(`${serverUrl}/openapi.json`)
  if (!response.ok) throw new Error('The description could not be read.')
  return response.json()
}

/** What the screen asked the API for, ready to paste: curl and TypeScript. */
export default function ApiDrawer({ onClose }: { onClose: () => void }) {
  const calls = useSyncExternalStore(recordedCalls.subscribe, recordedCalls.snapshot)
  const [language, setLanguage] = useState('curl')
  const { data: description } = useQuery({ queryKey: ['openapi'], queryFn: readDescription, staleTime: Infinity })
  const textOf = (call: RecordedCall) =>
    language === 'typescript' ? typescriptOf(call) : description ? curlOf(description, serverUrl, call) : '…'
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="What this screen asked the API">
      <Stack>
        <Text size="sm" c="dimmed">
          The console uses the public API alone. The newest calls come first; your token stands in <Code>$TOKEN</Code>.
        </Text>
        <SegmentedControl data={languages} value={language} onChange={setLanguage} aria-label="Language" />
        {calls.length === 0 && <Alert>Nothing was asked yet.</Alert>}
        {calls.map((call) => (
          <Stack key={`${call.id} ${call.path}`} gap={4}>
            <Group justify="space-between" wrap="nowrap">
              <Group gap="xs" wrap="nowrap" miw={0}>
                <Badge color={call.type === 'mutation' ? 'orange' : 'indigo'}>
                  {call.type === 'mutation' ? 'write' : 'read'}
                </Badge>
                <Text size="sm" fw={500} truncate>
                  {call.path}
                </Text>
                {call.ok === false && <Badge color="red">failed</Badge>}
                {call.milliseconds !== undefined && (
                  <Text size="xs" c="dimmed" className="numbers">
                    {call.milliseconds} ms
                  </Text>
                )}
              </Group>
              <Copy value={textOf(call)} what={`the call of ${call.path}`} />
            </Group>
            <Code block tabIndex={0}>
              {textOf(call)}
            </Code>
          </Stack>
        ))}
      </Stack>
    </Drawer>
  )
}
