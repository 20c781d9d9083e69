import { Card, Fieldset, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, queryClient } from '../../api/client.ts'
import { bothChanged, type Clash, changedFields, rebased } from '../../parts/changes.ts'
import { showErrors } from '../../parts/form-errors.ts'
import { formatWord } from '../../parts/format.ts'
import { Meanwhile } from '../../parts/meanwhile.tsx'
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

/**
 * What the agent is told, and what it remembers. A save keeps what others changed, and asks once more where they
 * changed the same.
 */
export default function Instructions({ agent, may }: AgentTabProps) {
  const [start, setStart] = useState(() => valuesOf(agent))
  const [theirs, setTheirs] = useState<readonly Clash[]>([])
  const form = useForm({ initialValues: start })
  const save = useMutation({
    async mutationFn(values: typeof start) {
      const fresh = valuesOf((await client.agents.get.query({ agent_id: agent.id })).data)
      const merged = rebased(start, values, fresh)
      const clashes = bothChanged(start, values, fresh)
      setTheirs(clashes)
      if (clashes.length > 0) return { isSaved: false, sent: values, fresh, merged }
      const { data } = await client.agents.update.mutate({ agent_id: agent.id, ...changedFields(fresh, merged) })
      return { isSaved: true, sent: values, fresh: valuesOf(data), merged: valuesOf(data) }
    },
    onSuccess({ isSaved, sent, fresh, merged }) {
      setStart(fresh)
      form.setValues(rebased(sent, form.getValues(), merged))
      if (!isSaved) return
      tellDone('The agent is saved.')
      queryClient.invalidateQueries(api.agents.pathFilter())
    },
    onError: (error) => showErrors(form, error),
  })
  const dirty = may.change && JSON.stringify(form.values) !== JSON.stringify(start)
  useUnsaved(dirty)
  const close = () => setTheirs([])
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
      <Meanwhile
        clashes={theirs}
        nameOf={formatWord}
        onSave={() => {
          close()
          save.mutate(form.getValues())
        }}
        onClose={close}
      />
      <Memory agentId={agent.id} mayForget={may.own} />
    </Stack>
  )
}
