import { Alert, Button, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { formatWord } from '../../parts/format.ts'
import { useMayWrite } from '../../session/access.tsx'
import type { Choices, Options, Question } from './body.ts'

const choices = (entries: readonly { id: number; name: string }[]) =>
  entries.map(({ id, name }) => ({ value: String(id), label: name }))

interface FieldsProps {
  form: UseFormReturnType<Choices>
  options: Options
  /** Those of the chosen industry. */
  questions: readonly Question[]
  /** What the texts name besides, and nothing gives a value to. */
  placeholders: readonly string[]
  /** What the button says. */
  action: string
  busy: boolean
}

/** The layers to choose from, the questions that they ask, and texts of one's own. */
export function BuildFields({ form, options, questions, placeholders, action, busy }: FieldsProps) {
  const mayWrite = useMayWrite('assistants')
  return (
    <Stack>
      <TextInput label="Name" placeholder="Front desk" withAsterisk {...form.getInputProps('name')} />
      <Select
        label="Industry"
        description="A prompt for this kind of company, and the questions that it needs answers to."
        placeholder="None"
        clearable
        data={choices(options.industry_templates)}
        {...form.getInputProps('industry')}
      />
      <Select
        label="Personality"
        description="How it speaks, and with which voice."
        placeholder="None"
        clearable
        data={choices(options.personalities)}
        {...form.getInputProps('personality')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Base"
          description="What all else is put onto."
          placeholder="The industry's"
          clearable
          data={choices(options.base_configs)}
          {...form.getInputProps('base')}
        />
        <Select
          label="Preset"
          description="Settings on top of both."
          placeholder="None"
          clearable
          data={options.layer2_presets.map(({ key, name }) => ({ value: key, label: name }))}
          {...form.getInputProps('preset')}
        />
      </SimpleGrid>
      <TextInput label="Company" placeholder="Harbour Dental" {...form.getInputProps('company')} />
      {questions.map(({ key, label, required }) => (
        <TextInput key={key} label={label} withAsterisk={required} {...form.getInputProps(`answers.${key}`)} />
      ))}
      {placeholders.map((name) => (
        <TextInput
          key={name}
          label={formatWord(name)}
          description={`Stands in its texts as {{${name}}}.`}
          {...form.getInputProps(`answers.${name}`)}
        />
      ))}
      <Textarea label="Own greeting" placeholder="That of the layers" autosize {...form.getInputProps('greeting')} />
      <Textarea
        label="Own prompt"
        placeholder="That of the layers"
        autosize
        minRows={3}
        maxRows={14}
        {...form.getInputProps('prompt')}
      />
      {mayWrite ? (
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      ) : (
        <Alert>You may look at what the layers bring; making an assistant needs the role of an editor.</Alert>
      )}
    </Stack>
  )
}
