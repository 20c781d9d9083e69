import { Alert, Card, Grid } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { same } from '../../parts/changes.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { Page } from '../../parts/page.tsx'
import { tellDone } from '../../parts/saved.ts'
import { useUnsaved } from '../../parts/unsaved.ts'
import { useMayWrite } from '../../session/access.tsx'
import {
  type Built,
  buildBody,
  type Choices,
  changesOf,
  fieldOf,
  filledIn,
  type Options,
  placeholdersToAsk,
  problemsOf,
  unanswered,
} from './body.ts'
import { BuildFields } from './fields.tsx'
import { Preview, usePreview, withoutValue } from './preview.tsx'

interface BuilderProps {
  options: Options
  /** The assistant that is built again. */
  existing: Built | undefined
  /** What the form begins with. */
  first: Choices
}

/** The form beside what its choices come to. */
export function Builder({ options, existing, first }: BuilderProps) {
  const navigate = useNavigate()
  const mayWrite = useMayWrite('assistants')
  const [start] = useState(first)
  const questionsOf = ({ industry }: Choices) =>
    options.industry_templates.find(({ id }) => String(id) === industry)?.custom_fields ?? []
  const form = useForm({
    initialValues: start,
    validate: (values) => problemsOf(values, questionsOf(values), existing !== undefined),
  })
  useUnsaved(mayWrite && !same(form.values, start))
  const [shown] = useDebouncedValue(form.values, 400)
  const ready = Boolean(shown.base || shown.industry)
  const preview = usePreview(buildBody(filledIn(shown, questionsOf(shown)), options), ready)
  const done = {
    onSuccess({ message, data: made }: { message: string; data: Pick<Built, 'assistant_id'> }) {
      tellDone(message)
      queryClient.invalidateQueries(api.assistants.pathFilter())
      queryClient.invalidateQueries(api.assistantBuilder.get.pathFilter())
      queryClient.invalidateQueries(api.assistantVersions.pathFilter())
      const params = { assistantId: made.assistant_id }
      navigate({ to: '/assistants/$assistantId', params, ignoreBlocker: true })
    },
    onError: (failure: unknown) => showErrors(form, failure, fieldOf),
  }
  const create = useMutation(api.assistantBuilder.create.mutationOptions(done))
  const rebuild = useMutation(api.assistantBuilder.update.mutationOptions(done))
  const check = useMutation({
    mutationFn: (values: Choices) => withoutValue(buildBody(values, options)),
    onError: done.onError,
  })
  /** `ask` asks before one is created whose texts have placeholders without a value. */
  const submit = (ask: () => void) =>
    form.onSubmit(
      (values) => {
        if (existing) {
          return rebuild.mutate({ assistantId: existing.assistant_id, ...changesOf(start, values, options) })
        }
        check.mutate(values, {
          onSuccess: (open) => (open ? ask() : create.mutate(buildBody(values, options))),
        })
      },
      (problems) => form.getInputNode(Object.keys(problems)[0] ?? '')?.focus(),
    )
  return (
    <Page
      title={existing ? `Rebuild ${existing.name}` : 'Build an assistant'}
      about={
        existing
          ? 'Other layers, or the same again. What was changed in the editor since stays, and is not in the preview.'
          : 'From layers: each one is put onto those below it, and your own texts come last.'
      }
    >
      {options.base_configs.length === 0 && options.industry_templates.length === 0 && (
        <Alert title="There are no layers yet">
          Operators make them under Administration, Catalogue: a base first. Without them, make an assistant with texts
          of your own under Assistants.
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card>
            <Confirm
              title="Create it with gaps?"
              text={`${check.data} would be left out of what it says.`}
              action="Create it with gaps"
              harmless
              onConfirm={() => create.mutate(buildBody(form.getValues(), options))}
            >
              {(ask) => (
                <form onSubmit={submit(ask)} noValidate>
                  <BuildFields
                    form={form}
                    options={options}
                    questions={questionsOf(form.values)}
                    placeholders={placeholdersToAsk(preview.data?.data.unresolved ?? [], form.values, options)}
                    action={existing ? 'Rebuild assistant' : 'Create assistant'}
                    busy={
                      check.isPending || [create, rebuild].some(({ isPending, isSuccess }) => isPending || isSuccess)
                    }
                  />
                </form>
              )}
            </Confirm>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Preview
            preview={preview}
            ready={ready}
            open={unanswered(questionsOf(shown), shown).map(({ label }) => label)}
          />
        </Grid.Col>
      </Grid>
    </Page>
  )
}
