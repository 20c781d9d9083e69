import { Accordion, Alert, Card, Fieldset, Grid, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queryClient } from '../../../api/client.ts'
import { fieldErrors } from '../../../api/failure.ts'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import type { TabProps } from '../tabs.ts'
import { TestCall } from '../talk/test-call.tsx'
import { CompanyFields } from './company-fields.tsx'
import { EditProvider, useEditForm } from './form.ts'
import { RestField } from './rest-field.tsx'
import { TalkFields } from './talk-fields.tsx'
import { changesOf, fieldOf, restProblem, type Values, valuesOf } from './values.ts'
import { VoiceFields } from './voice-fields.tsx'

/** The editor: forms for what people change, JSON for the rest. */
export default function Edit({ assistant }: TabProps) {
  const mayWrite = useMayWrite('assistants')
  const [start, setStart] = useState(() => valuesOf(assistant))
  const form = useEditForm({
    initialValues: start,
    validate: {
      name: (name) => (name.trim() === '' ? 'Assistant name is required.' : null),
      rest: (rest) => restProblem(rest, assistant),
    },
  })
  const begin = (values: Values) => {
    setStart(values)
    form.setInitialValues(values)
    form.setValues(values)
  }
  const save = useMutation(
    api.assistants.updateAdvanced.mutationOptions({
      async onSuccess({ message }) {
        tellDone(message)
        const fresh = await queryClient.fetchQuery({
          ...api.assistants.get.queryOptions({ assistantId: assistant.assistant_id }),
          staleTime: 0,
        })
        begin(valuesOf(fresh.data))
        queryClient.invalidateQueries(api.assistants.list.pathFilter())
        queryClient.invalidateQueries(api.assistantVersions.pathFilter())
      },
      onError(error) {
        const errors = Object.entries(fieldErrors(error))
        form.setErrors(Object.fromEntries(errors.map(([path, text]) => [fieldOf(path, start), text])))
        if (errors.length === 0) tellFailed(error)
      },
    }),
  )
  const submit = form.onSubmit((values) => save.mutate(changesOf(assistant, start, values)))
  const dirty = mayWrite && JSON.stringify(form.values) !== JSON.stringify(start)
  useHotkeys([['mod+S', () => dirty && submit()]], [])
  useBlocker({ shouldBlockFn: () => dirty && !window.confirm('Leave without saving your changes?'), disabled: !dirty })
  return (
    <EditProvider form={form}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <form onSubmit={submit} noValidate>
            <Stack gap="lg">
              {!mayWrite && (
                <Alert icon={<IconEye />} title="You may look at this assistant">
                  Changes need the role of an editor or owner in this workspace.
                </Alert>
              )}
              <Fieldset disabled={!mayWrite} variant="unstyled">
                <Stack gap="lg">
                  <TalkFields templated={assistant.template_id !== null} />
                  <Accordion variant="separated" radius="lg" multiple>
                    <VoiceFields />
                    <CompanyFields />
                    <RestField />
                  </Accordion>
                </Stack>
              </Fieldset>
            </Stack>
            {dirty && <SaveBar saving={save.isPending} onDiscard={() => begin(start)} />}
          </form>
        </Grid.Col>
        <Grid.Col span={4} visibleFrom="lg">
          <Card className="beside">
            <TestCall assistantId={assistant.assistant_id} />
          </Card>
        </Grid.Col>
      </Grid>
    </EditProvider>
  )
}
