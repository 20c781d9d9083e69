import { Accordion, JsonInput } from '@mantine/core'
import { useEdit } from './form.ts'

/** Variables, plans and message lists, as JSON. */
export function RestField() {
  const form = useEdit()
  return (
    <Accordion.Item value="rest">
      <Accordion.Control>Variables and plans (JSON)</Accordion.Control>
      <Accordion.Panel>
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
      </Accordion.Panel>
    </Accordion.Item>
  )
}
