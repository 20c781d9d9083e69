import { Alert, Card, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useEdit } from './form.ts'

const modes = [
  { value: 'assistant-speaks-first', label: 'Says the greeting' },
  { value: 'assistant-speaks-first-with-model-generated-message', label: 'Makes up a greeting' },
  { value: 'assistant-waits-for-user', label: 'Waits for the caller' },
]

interface TalkFieldsProps {
  /** Its prompt is a template's, and not its own to change. */
  templated: boolean
  /** Its prompt is that of its layers until it has one of its own. */
  built: boolean
}

/** Who the assistant is and how it begins. */
export function TalkFields({ templated, built }: TalkFieldsProps) {
  const form = useEdit()
  return (
    <Card>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
          <Select label="Type" data={['demo', 'production']} allowDeselect={false} {...form.getInputProps('type')} />
          <Select label="At the start" data={modes} allowDeselect={false} {...form.getInputProps('firstMessageMode')} />
        </SimpleGrid>
        <Textarea
          label="Greeting"
          description="{{company_name}} stands for the company, {{assistant_name}} for its name, and so on with every variable."
          autosize
          minRows={2}
          {...form.getInputProps('firstMessage')}
        />
        {templated && <Alert>The prompt is that of a template of the catalogue, and changes with it.</Alert>}
        <Textarea
          label="Prompt"
          description={
            built
              ? 'That of its layers, until you change it here. Empty it to have theirs again.'
              : 'Who it is, what it knows and what it shall do. {{…}} stand here, too.'
          }
          autosize
          minRows={8}
          maxRows={28}
          readOnly={templated}
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
