import { Accordion, Alert, Card, Fieldset, Grid, Skeleton, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconEye } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { api, queryClient } from '../../../api/client.ts'
import { fieldErrors } from '../../../api/failure.ts'
import type { Clash } from '../../../parts/changes.ts'
import { Failed } from '../../../parts/failed.tsx'
import { Meanwhile } from '../../../parts/meanwhile.tsx'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useUnsaved } from '../../../parts/unsaved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import { labelOf } from '../history/labels.ts'
import type { TabProps } from '../tabs.ts'
import { AssistantTestCall } from '../talk/test-call.tsx'
import { CompanyFields } from './company-fields.tsx'
import { EditProvider, useEditForm } from './form.ts'
import { RestField } from './rest-field.tsx'
import { promptOf, saveChanges } from './save.ts'
import { sectionOf } from './section.tsx'
import { TalkFields } from './talk-fields.tsx'
import { fieldOf, rebasedValues, restProblem, type Values, valuesOf } from './values.ts'
import { VoiceFields } from './voice-fields.tsx'

/** The editor, once the prompt is there as it was written. */
export default function Edit({ assistant }: TabProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['prompt', assistant.assistant_id],
    queryFn: () => promptOf(assistant),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (error && data === undefined) return <Failed error={error} retry={refetch} />
  if (data === undefined) return <Skeleton h={360} />
  return <Editor assistant={assistant} prompt={data} />
}

/** Forms for what people change, JSON for the rest. */
function Editor({ assistant, prompt }: TabProps & { prompt: string }) {
  const mayWrite = useMayWrite('assistants')
  const [start, setStart] = useState(() => valuesOf(assistant, prompt))
  const [opened, setOpened] = useState<string[]>([])
  const [clashes, setClashes] = useState<Clash[]>([])
  const form = useEditForm({
    initialValues: start,
    validate: {
      name: (name) => (name.trim() === '' ? 'Assistant name is required.' : null),
      rest: (rest) => restProblem(rest, assistant),
    },
  })
  /** Leads to the first of these fields that the form has; whether there is one. */
  const leadTo = (fields: string[]): boolean => {
    const first = fields.find((field) => form.getInputNode(field))
    if (first === undefined) return false
    const section = sectionOf(first)
    // A field in a closed section takes no focus.
    if (section !== undefined) flushSync(() => setOpened((all) => [...new Set([...all, section])]))
    form.getInputNode(first)?.focus()
    return true
  }
  /** Goes on from what the server has, with what was typed since `before`. */
  const begin = (fresh: Values, before: Values) => {
    setStart(fresh)
    form.setInitialValues(fresh)
    form.setValues(rebasedValues(before, form.getValues(), fresh))
  }
  const mutationKey = ['save', assistant.assistant_id]
  const save = useMutation({
    mutationKey,
    mutationFn: (sent: Values) =>
      saveChanges(assistant.assistant_id, start, sent, (prompt) => {
        setStart({ ...start, prompt })
        if (form.getValues().prompt === sent.prompt) form.setFieldValue('prompt', prompt)
      }),
    async onSuccess(saved, sent) {
      if (saved.clashes) {
        begin(saved.fresh, start)
        return setClashes(saved.clashes)
      }
      tellDone(saved.message)
      const fresh = await queryClient.fetchQuery({
        ...api.assistants.get.queryOptions({ assistantId: assistant.assistant_id }),
        staleTime: 0,
      })
      begin(valuesOf(fresh.data, await promptOf(fresh.data)), sent)
      queryClient.invalidateQueries(api.assistants.list.pathFilter())
      queryClient.invalidateQueries(api.assistantBuilder.pathFilter())
      queryClient.invalidateQueries(api.assistantVersions.pathFilter())
    },
    onError(error) {
      const errors = Object.entries(fieldErrors(error)).map(([path, text]) => [fieldOf(path, start), text] as const)
      form.setErrors(Object.fromEntries(errors))
      if (!leadTo(errors.map(([field]) => field))) tellFailed(error)
    },
  })
  const submit = form.onSubmit(
    (values) => {
      if (queryClient.isMutating({ mutationKey }) === 0) save.mutate(values)
    },
    (problems) => leadTo(Object.keys(problems)),
  )
  const dirty = mayWrite && JSON.stringify(form.values) !== JSON.stringify(start)
  useHotkeys([['mod+S', () => dirty && submit()]], [])
  useUnsaved(dirty)
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
                <TalkFields
                  templated={assistant.template_id !== null && assistant.base_config_id === null}
                  built={assistant.base_config_id !== null}
                />
              </Fieldset>
              <Accordion
                variant="separated"
                radius="lg"
                multiple
                value={opened}
                onChange={setOpened}
                transitionDuration={0}
              >
                <VoiceFields />
                <CompanyFields />
                <RestField />
              </Accordion>
            </Stack>
            <Meanwhile
              clashes={clashes}
              nameOf={(path) => labelOf(path.replace(/^rest\./, ''))}
              onSave={() => {
                setClashes([])
                submit()
              }}
              onClose={() => setClashes([])}
            />
            {dirty && <SaveBar saving={save.isPending} onDiscard={() => form.setValues(start)} />}
          </form>
        </Grid.Col>
        <Grid.Col span={4} visibleFrom="lg">
          <Card className="beside">
            <AssistantTestCall assistantId={assistant.assistant_id} isUnsaved={dirty} />
          </Card>
        </Grid.Col>
      </Grid>
    </EditProvider>
  )
}
