import { Card, Fieldset, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api, client, queryClient } from '../../api/client.ts'
import { changedFields } from '../../parts/changes.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { tellDone } from '../../parts/saved.ts'
import { useSharedForm } from '../../parts/shared-form.tsx'
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
  const agent_id = agent.id
  const form = useForm({ initialValues: valuesOf(agent) })
  const { isChanged, isSaving, submit, discard, question } = useSharedForm({
    form,
    stored: agent,
    valuesOf,
    read: async () => (await client.agents.get.query({ agent_id })).data,
    write: async (values, now) =>
      (await client.agents.update.mutate({ agent_id, ...changedFields(valuesOf(now), values) })).data,
    onSaved() {
      tellDone('The agent is saved.')
      queryClient.invalidateQueries(api.agents.pathFilter())
    },
  })
  const dirty = may.change && isChanged
  useUnsaved(dirty)
  return (
    <Stack>
      <form onSubmit={submit} noValidate>
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
        {dirty && <SaveBar saving={isSaving} onDiscard={discard} />}
      </form>
      {question}
      <Memory agentId={agent_id} mayForget={may.own} />
    </Stack>
  )
}
