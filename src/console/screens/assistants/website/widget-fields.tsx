import {
  ColorInput,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { formatWord } from '../../../parts/format.ts'
import { corners, positions, type Settings, sizes, themes } from './settings.ts'

const choices = (values: readonly string[]) => values.map((value) => ({ value, label: formatWord(value) }))

/** What the widget looks like and says. */
export function WidgetFields({ form }: { form: UseFormReturnType<Settings> }) {
  return (
    <Stack>
      <Switch label="Visitors may use the widget" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <TextInput label="Title" placeholder="Chat" {...form.getInputProps('title')} />
      <Textarea label="First message" autosize minRows={2} {...form.getInputProps('chat_first_message')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Placeholder of the field"
          placeholder="Write a message…"
          {...form.getInputProps('chat_placeholder')}
        />
        <TextInput label="Language" placeholder="That of the visitor" {...form.getInputProps('locale')} />
        <ColorInput label="Accent" placeholder="Blue" {...form.getInputProps('accent_color')} />
        <ColorInput label="Background" placeholder="That of the theme" {...form.getInputProps('base_bg_color')} />
        <Select label="Position" data={choices(positions)} allowDeselect={false} {...form.getInputProps('position')} />
        <Select label="Size" data={choices(sizes)} allowDeselect={false} {...form.getInputProps('size')} />
        <Select
          label="Corners"
          data={choices(corners)}
          allowDeselect={false}
          {...form.getInputProps('border_radius')}
        />
        <Input.Wrapper label="Theme" labelElement="div">
          <SegmentedControl aria-label="Theme" data={choices(themes)} fullWidth {...form.getInputProps('theme')} />
        </Input.Wrapper>
      </SimpleGrid>
      <TagsInput
        label="Pages that may use it"
        description="Origins such as https://www.example.com; every page when there is none."
        {...form.getInputProps('allowed_origins')}
      />
      <Switch label="Ask for consent first" {...form.getInputProps('consent_required', { type: 'checkbox' })} />
      {form.values.consent_required && (
        <Textarea label="What visitors consent to" autosize minRows={3} {...form.getInputProps('consent_content')} />
      )}
    </Stack>
  )
}
