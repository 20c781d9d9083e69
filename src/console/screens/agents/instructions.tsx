import { Card, Fieldset, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, queryClient } from '../../api/client.ts'
import { changedFields, rebased } from '../../parts/changes.ts'
import { showErrors } from '../../parts/form-errors.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { tellDone } from '../../parts/saved.ts'
import { useUnsaved } from '../../parts/unsaved.ts'
import { Memory } from './memory.tsx'
import type { Agent, AgentTabProps } from './tabs.ts'

const valuesOf = ({ name, description, instructions }: Agent) => ({
  name,
  description: description ?? '',
  instructions: instructions ?? '',
})

/** What the agent is told, and what it remembers. */
export default function Instructions({ agent, may }: AgentTabProps) {
  const [start, setStart] = useState(() => valuesOf(agent))
  const form = useForm({ initialValues: start })
  const save = useMutation({
    mutationFn: (values: typeof start) =>
      client.agents.update.mutate({ agent_id: agent.id, ...changedFields(start, values) }),
    onSuccess({ data }, sent) {
      tellDone('The agent is saved.')
      const fresh = valuesOf(data)
      setStart(fresh)
      form.setValues(rebased(sent, form.getValues(), fresh))
      queryClient.invalidateQueries(api.agents.pathFilter())
    },
    onError: (error) => showErrors(form, error),
  })
  const dirty = may.change && JSON.stringify(form.values) !== JSON.stringify(start)
  useUnsaved(dirty)
  return (
    <Stack>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
        <Card>
          <Fieldset disabled={!may.change} variant="unstyled">
            <Stack>
              <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
              <TextInput label="Description" {...form.getInputProps('description')} />
              <Textarea
                label="Instructions"
                description="They stand before every chat; at most 10,000 characters."
                autosize
                minRows={8}
                maxRows={28}
                {...form.getInputProps('instructions')}
              />
            </Stack>
          </Fieldset>
        </Card>
        {dirty && <SaveBar saving={save.isPending} onDiscard={() => form.setValues(start)} />}
      </form>
      <Memory agentId={agent.id} mayForget={may.own} />
    </Stack>
  )
}
