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
import { useNavigate } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { Page } from '../../parts/page.tsx'
import { tellDone } from '../../parts/saved.ts'
import { useMayWrite } from '../../session/access.tsx'
import { buildBody, fieldOf, firstChoices } from './body.ts'
import { Preview } from './preview.tsx'

const choices = (entries: readonly { id: number; name: string }[]) =>
  entries.map(({ id, name }) => ({ value: String(id), label: name }))

/** Builds an assistant from layers, with what each of them brings in sight. */
export function BuildScreen() {
  const mayWrite = useMayWrite('assistants')
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(api.assistantBuilder.formOptions.queryOptions())
  const form = useForm({ initialValues: firstChoices })
  const [shown] = useDebouncedValue(form.values, 400)
  const options = data?.data
  const industry = options?.industry_templates.find(({ id }) => String(id) === form.values.industry)
  const create = useMutation(
    api.assistantBuilder.create.mutationOptions({
      onSuccess({ message, data: made }) {
        tellDone(message)
        queryClient.invalidateQueries(api.assistants.pathFilter())
        navigate({ to: '/assistants/$assistantId', params: { assistantId: made.assistant_id } })
      },
      onError: (failure) => showErrors(form, failure, fieldOf),
    }),
  )
  if (error) return <Failed error={error} retry={refetch} />
  return (
    <Page
      title="Build an assistant"
      about="From layers: each one is put onto those below it, and your own texts come last."
    >
      {!options && <Skeleton h={360} />}
      {options && (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Card>
              <form onSubmit={form.onSubmit((values) => create.mutate(buildBody(values)))} noValidate>
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
                      placeholder="That of the industry"
                      clearable
                      data={choices(options.base_configs)}
                      {...form.getInputProps('base')}
                    />
                    <Select
                      label="Industry"
                      placeholder="None"
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
                    placeholder="That of the layers"
                    autosize
                    {...form.getInputProps('greeting')}
                  />
                  <Textarea
                    label="Own prompt"
                    placeholder="That of the layers"
                    autosize
                    minRows={3}
                    maxRows={14}
                    {...form.getInputProps('prompt')}
                  />
                  {mayWrite ? (
                    <Group justify="flex-end">
                      <Button type="submit" loading={create.isPending}>
                        Create assistant
                      </Button>
                    </Group>
                  ) : (
                    <Alert>
                      You may look at what the layers bring; making an assistant needs the role of an editor.
                    </Alert>
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
      )}
    </Page>
  )
}
