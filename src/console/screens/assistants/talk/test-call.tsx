import { ActionIcon, Alert, Button, Group, Loader, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconDots, IconPhoneOff, IconSend2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, client, queryClient } from '../../../api/client.ts'
import { formatWord } from '../../../parts/format.ts'
import { Refused } from '../../../parts/refused.tsx'
import { type Feature, useMayWrite } from '../../../session/access.tsx'
import { type Call, CallDetails } from '../calls/calls.tsx'
import { Transcript } from '../calls/transcript.tsx'
import { CallWebhooks } from './call-webhooks.tsx'

const scenarios = ['question', 'booking', 'goodbye', 'silent', 'voicemail'] as const

type Caller = Omit<Parameters<typeof client.calls.test.mutate>[0], 'assistantId'>

const linesOf = ({ messages = [] }: Caller) => messages.map((line) => (typeof line === 'string' ? line : line.content))

interface TestCallProps {
  /** What the right to place it belongs to. */
  feature: Feature
  place(caller: Caller): ReturnType<typeof client.calls.test.mutate>
  /** Whether it has changes that are not saved, which a call knows nothing of. */
  isUnsaved?: boolean
}

/** A simulated call, a line of the caller at a time: each line places the call again with everything said so far. */
export function TestCall({ feature, place: mutationFn, isUnsaved = false }: TestCallProps) {
  const mayWrite = useMayWrite(feature)
  const [said, setSaid] = useState<string[]>([])
  const [line, setLine] = useState('')
  const [call, setCall] = useState<Call>()
  const place = useMutation({
    mutationFn,
    onSuccess({ data }, caller) {
      setCall(data)
      setSaid(linesOf(caller))
      queryClient.invalidateQueries(api.calls.list.pathFilter())
      queryClient.invalidateQueries(api.stats.pathFilter())
      queryClient.invalidateQueries(api.deliveries.pathFilter())
    },
  })
  const say = (event: FormEvent) => {
    event.preventDefault()
    // The button stands within pages whose form is another.
    event.stopPropagation()
    if (line.trim() === '' || place.isPending) return
    const next = line.trim()
    setLine('')
    place.mutate(
      { messages: [...said, next] },
      // Before what was typed meanwhile.
      { onError: () => setLine((typed) => `${next} ${typed}`.trim()) },
    )
  }
  const clear = () => {
    setSaid([])
    setCall(undefined)
    place.reset()
  }
  const asked = place.isPending ? linesOf(place.variables) : []
  if (!mayWrite) return <Text c="dimmed">Test calls need the role of an editor or owner in this workspace.</Text>
  return (
    <Stack>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600}>Talk to it</Text>
        <Group gap={4} wrap="nowrap">
          {call && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconPhoneOff size={15} />}
              onClick={clear}
            >
              Start again
            </Button>
          )}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label="Other callers">
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Let a simulated caller call</Menu.Label>
              {scenarios.map((scenario) => (
                <Menu.Item key={scenario} onClick={() => place.mutate({ scenario })}>
                  {formatWord(scenario)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      {isUnsaved && <Alert color="yellow">It talks as it is saved: save your changes first.</Alert>}
      {!call && !place.isPending && !place.error && (
        <Text size="sm" c="dimmed">
          Write what a caller says. The call is simulated: nobody's phone rings, and the webhook gets what a real call
          sends.
        </Text>
      )}
      {asked.length > 0 && <Transcript turns={asked.map((text) => ({ by: 'caller', text }))} />}
      {place.isPending && <Loader type="dots" role="status" aria-label="The call runs" />}
      {place.error && <Refused error={place.error} />}
      {call && !place.isPending && <CallDetails call={call} />}
      {call && !place.isPending && <CallWebhooks callId={call.id} />}
      <form onSubmit={say}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label="What the caller says"
            placeholder="Do you have time on Friday?"
            value={line}
            onChange={(event) => setLine(event.currentTarget.value)}
            flex={1}
            maxLength={4000}
          />
          <ActionIcon type="submit" size={36} aria-label="Say" loading={place.isPending}>
            <IconSend2 size={18} />
          </ActionIcon>
        </Group>
      </form>
    </Stack>
  )
}

/** The same to an assistant, over its number when it has one. */
export function AssistantTestCall({ assistantId, isUnsaved }: { assistantId: string; isUnsaved?: boolean }) {
  return (
    <TestCall
      feature="assistants"
      place={(caller) => client.calls.test.mutate({ assistantId, ...caller })}
      isUnsaved={isUnsaved}
    />
  )
}
