import {
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { formatWord } from '../../../parts/format.ts'
import { useEdit } from './form.ts'
import { Section } from './section.tsx'

const sounds = [
  'off',
  'office',
  'coffee-shop',
  'convention-hall',
  'summit',
  'traffic',
  'rain',
  'storm',
  'wind',
  'fire',
  'crackling-fire',
  'rain-on-roof',
  'coastal-storm',
  'howling-wind',
  'seagulls',
  'night-insects',
  'fan',
  'white-noise',
].map((value) => ({ value, label: formatWord(value) }))

/** How it sounds, what it can do, and how a call ends. */
export function VoiceFields() {
  const form = useEdit()
  const { toolIds } = form.getInitialValues().model
  const { data: tools } = useQuery(api.assistantTools.list.queryOptions({ include: toolIds }))
  const options = tools?.data.map(({ value, label, locked }) => ({
    value,
    label: locked ? `${label} (always on)` : label,
  }))
  return (
    <>
      <Section name="voice" title="Voice and tools">
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            <TextInput label="Voice" {...form.getInputProps('voice.voiceId')} />
            <NumberInput label="Speed" min={0.25} max={4} step={0.05} {...form.getInputProps('voice.speed')} />
            <TextInput
              label="Language"
              placeholder="en"
              maxLength={2}
              {...form.getInputProps('transcriber.language')}
            />
            <NumberInput label="Longest reply (tokens)" min={1} {...form.getInputProps('model.maxTokens')} />
          </SimpleGrid>
          <MultiSelect
            label="Tools"
            description="What it may do during a call."
            data={options ?? []}
            searchable
            clearable
            {...form.getInputProps('model.toolIds')}
          />
          <Select
            label="Background sound"
            data={sounds}
            allowDeselect={false}
            {...form.getInputProps('backgroundSound')}
          />
        </Stack>
      </Section>
      <Section name="end" title="End of the call">
        <Stack>
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <Textarea label="Last words" autosize minRows={2} miw={220} {...form.getInputProps('endCallMessage')} />
            <Textarea
              label="On a voicemail"
              autosize
              minRows={2}
              miw={220}
              {...form.getInputProps('voicemailMessage')}
            />
          </Group>
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <TagsInput
              label="Words of the caller that end it"
              description="Press Enter after each."
              miw={220}
              {...form.getInputProps('endCallPhrases')}
            />
            <NumberInput
              label="Longest call (seconds)"
              description="10 to 43,200"
              min={10}
              max={43_200}
              miw={220}
              {...form.getInputProps('maxDurationSeconds')}
            />
          </Group>
        </Stack>
      </Section>
    </>
  )
}
