import { SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import { useEdit } from './form.ts'
import { Section } from './section.tsx'

/** What it knows of the company, and where its calls are told. */
export function CompanyFields() {
  const form = useEdit()
  return (
    <>
      <Section name="company" title="Company and manners">
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput label="Company" {...form.getInputProps('metadata.company_name')} />
            <TextInput label="Industry" {...form.getInputProps('metadata.industry')} />
            <TextInput label="Location" {...form.getInputProps('metadata.location')} />
          </SimpleGrid>
          <TagsInput
            label="Always says"
            description="Press Enter after each."
            {...form.getInputProps('metadata.always_say')}
          />
          <TagsInput
            label="Never says"
            description="Press Enter after each."
            {...form.getInputProps('metadata.never_say')}
          />
        </Stack>
      </Section>
      <Section name="webhook" title="Webhook">
        <TextInput
          label="Address"
          description="Where what happens in calls is sent. What became of it is under Webhooks."
          placeholder="https://example.com/hooks"
          type="url"
          {...form.getInputProps('metadata.webhook_url')}
        />
      </Section>
    </>
  )
}
