import { Alert, Card, Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useEdit } from './form.ts'

const modes = [
  { value: 'assistant-speaks-first', label: 'Says the greeting' },
  { value: 'assistant-speaks-first-with-model-generated-message', label: 'Makes up a greeting' },
  { value: 'assistant-waits-for-user', label: 'Waits for the caller' },
]

/** Who the assistant is and how it begins. */
export function TalkFields({ templated }: { templated: boolean }) {
  const form = useEdit()
  return (
    <Card>
      <Stack>
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput label="Name" maxLength={40} withAsterisk flex={2} miw={220} {...form.getInputProps('name')} />
          <Select
            label="Type"
            data={['demo', 'production']}
            allowDeselect={false}
            miw={140}
            {...form.getInputProps('type')}
          />
          <Select
            label="At the start"
            data={modes}
            allowDeselect={false}
            miw={200}
            {...form.getInputProps('firstMessageMode')}
          />
        </Group>
        <Textarea
          label="Greeting"
          description="{{name}} stands for a variable's value."
          autosize
          minRows={2}
          {...form.getInputProps('firstMessage')}
        />
        {templated && (
          <Alert>
            This assistant is built from a prompt template: its prompt is rendered from that with every save.
          </Alert>
        )}
        <Textarea
          label="Prompt"
          description="Who it is, what it knows and what it shall do."
          autosize
          minRows={8}
          maxRows={28}
          {...form.getInputProps('prompt')}
        />
        <Switch
          label="Callers may interrupt the greeting"
          {...form.getInputProps('firstMessageInterruptionsEnabled', { type: 'checkbox' })}
        />
      </Stack>
    </Card>
  )
}
