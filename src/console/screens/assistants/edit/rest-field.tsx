import { JsonInput } from '@mantine/core'
import { useEdit } from './form.ts'
import { Section } from './section.tsx'

/** Variables, plans and message lists, as JSON. */
export function RestField() {
  const form = useEdit()
  return (
    <Section name="rest" title="Variables and plans (JSON)">
      <JsonInput
        label="Everything else"
        description="The names are those of the API. A null clears a field."
        autosize
        minRows={12}
        maxRows={40}
        formatOnBlur
        classNames={{ input: 'code' }}
        {...form.getInputProps('rest')}
      />
    </Section>
  )
}
