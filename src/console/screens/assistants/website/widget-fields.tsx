import {
  Accordion,
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
import { useState } from 'react'
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
        <>
          <TextInput
            label="Title of the question"
            placeholder="Before we start"
            {...form.getInputProps('consent_title')}
          />
          <Textarea label="What visitors consent to" autosize minRows={3} {...form.getInputProps('consent_content')} />
          <TextInput
            label="Button that agrees"
            placeholder="Agree and start"
            {...form.getInputProps('start_button_text')}
          />
        </>
      )}
      <MoreFields form={form} />
    </Stack>
  )
}

const more = [
  'cta_title',
  'cta_subtitle',
  'cta_button_color',
  'cta_button_text_color',
  'chat_empty_message',
  'end_button_text',
] as const

/** What few change, closed until it is opened or something in it is refused. */
function MoreFields({ form }: { form: UseFormReturnType<Settings> }) {
  const [opened, setOpened] = useState<string | null>(null)
  const isRefused = more.some((field) => form.errors[field])
  return (
    <Accordion variant="contained" value={isRefused ? 'more' : opened} onChange={setOpened} transitionDuration={0}>
      <Accordion.Item value="more">
        <Accordion.Control>Button and other texts</Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="Text of the button" placeholder="None" {...form.getInputProps('cta_title')} />
            <TextInput label="Second line of the button" placeholder="None" {...form.getInputProps('cta_subtitle')} />
            <ColorInput
              label="Colour of the button"
              placeholder="The accent"
              {...form.getInputProps('cta_button_color')}
            />
            <ColorInput
              label="Colour of its text"
              placeholder="One that can be read"
              {...form.getInputProps('cta_button_text_color')}
            />
            <TextInput
              label="Where nothing was said yet"
              placeholder="How can we help you?"
              {...form.getInputProps('chat_empty_message')}
            />
            <TextInput
              label="Button that ends the conversation"
              placeholder="A symbol"
              {...form.getInputProps('end_button_text')}
            />
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
