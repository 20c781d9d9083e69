import {
  Alert,
  Button,
  Card,
  Grid,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { api, type client, queryClient } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { Failed } from '../../parts/failed.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { Page } from '../../parts/page.tsx'
import { tellDone } from '../../parts/saved.ts'
import { useMayWrite } from '../../session/access.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { type Built, buildBody, changedIn, choicesOf, fieldOf, firstChoices } from './body.ts'
import { Preview } from './preview.tsx'

const choices = (entries: readonly { id: number; name: string }[]) =>
  entries.map(({ id, name }) => ({ value: String(id), label: name }))

type Options = Awaited<ReturnType<typeof client.assistantBuilder.formOptions.query>>['data']

const route = getRouteApi('/build')

/** Builds an assistant from layers, or one that was built so again, with what each layer brings in sight. */
export function BuildScreen() {
  const { search: assistantId } = route.useSearch()
  const options = useQuery(api.assistantBuilder.formOptions.queryOptions())
  const built = useQuery(
    api.assistantBuilder.get.queryOptions({ assistantId: assistantId ?? '' }, { enabled: assistantId !== undefined }),
  )
  const error = options.error ?? built.error
  if (statusOf(error) === 404) return <NotFound />
  if (error) return <Failed error={error} retry={() => Promise.all([options.refetch(), built.refetch()])} />
  if (!options.data || (assistantId && !built.data)) return <Skeleton h={360} aria-label="Loading" />
  return <Builder key={assistantId} options={options.data.data} existing={built.data?.data} />
}

interface BuilderProps {
  options: Options
  /** The assistant that is built again. */
  existing: Built | undefined
}

function Builder({ options, existing }: BuilderProps) {
  const mayWrite = useMayWrite('assistants')
  const navigate = useNavigate()
  const start = existing ? choicesOf(existing) : firstChoices
  const form = useForm({ initialValues: start })
  const [shown] = useDebouncedValue(form.values, 400)
  const industry = options.industry_templates.find(({ id }) => String(id) === form.values.industry)
  const done = {
    onSuccess({ message, data: made }: { message: string; data: Built }) {
      tellDone(message)
      queryClient.invalidateQueries(api.assistants.pathFilter())
      queryClient.invalidateQueries(api.assistantBuilder.get.pathFilter())
      queryClient.invalidateQueries(api.assistantVersions.pathFilter())
      navigate({ to: '/assistants/$assistantId', params: { assistantId: made.assistant_id } })
    },
    onError: (failure: unknown) => showErrors(form, failure, fieldOf),
  }
  const create = useMutation(api.assistantBuilder.create.mutationOptions(done))
  const rebuild = useMutation(api.assistantBuilder.update.mutationOptions(done))
  const submit = form.onSubmit((values) => {
    if (!existing) return create.mutate(buildBody(values))
    rebuild.mutate({ assistantId: existing.assistant_id, ...changedIn(buildBody(start), buildBody(values)) })
  })
  const kept = existing ? 'As it is' : undefined
  return (
    <Page
      title={existing ? `Rebuild ${existing.name}` : 'Build an assistant'}
      about={
        existing
          ? 'Other layers, or the same again: what you change is applied, and its own texts stay.'
          : 'From layers: each one is put onto those below it, and your own texts come last.'
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card>
            <form onSubmit={submit} noValidate>
              <Stack>
                <TextInput
                  label="Name"
                  placeholder="Front desk"
                  maxLength={40}
                  withAsterisk
                  {...form.getInputProps('name')}
                />
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <Select
                    label="Base"
                    placeholder={kept ?? 'That of the industry'}
                    clearable
                    data={choices(options.base_configs)}
                    {...form.getInputProps('base')}
                  />
                  <Select
                    label="Industry"
                    placeholder={kept ?? 'None'}
                    clearable
                    data={choices(options.industry_templates)}
                    {...form.getInputProps('industry')}
                  />
                  <Select
                    label="Preset"
                    placeholder="None"
                    clearable
                    data={options.layer2_presets.map(({ key, name }) => ({ value: key, label: name }))}
                    {...form.getInputProps('preset')}
                  />
                  <Select
                    label="Personality"
                    placeholder="None"
                    clearable
                    data={choices(options.personalities)}
                    {...form.getInputProps('personality')}
                  />
                </SimpleGrid>
                <TextInput label="Company" {...form.getInputProps('company')} />
                {industry?.custom_fields.map(({ key, label, required }) => (
                  <TextInput
                    key={key}
                    label={label}
                    withAsterisk={required}
                    {...form.getInputProps(`answers.${key}`)}
                  />
                ))}
                <Textarea
                  label="Own greeting"
                  placeholder={kept ?? 'That of the layers'}
                  autosize
                  {...form.getInputProps('greeting')}
                />
                <Textarea
                  label="Own prompt"
                  placeholder={kept ?? 'That of the layers'}
                  autosize
                  minRows={3}
                  maxRows={14}
                  {...form.getInputProps('prompt')}
                />
                {mayWrite ? (
                  <Group justify="flex-end">
                    <Button type="submit" loading={create.isPending || rebuild.isPending}>
                      {existing ? 'Rebuild assistant' : 'Create assistant'}
                    </Button>
                  </Group>
                ) : (
                  <Alert>You may look at what the layers bring; making an assistant needs the role of an editor.</Alert>
                )}
              </Stack>
            </form>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Preview
            body={buildBody({ ...shown, name: shown.name || 'Preview' })}
            ready={Boolean(shown.base || shown.industry)}
          />
        </Grid.Col>
      </Grid>
    </Page>
  )
}
