import { Alert, Button, Card, Code, Fieldset, Grid, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, queryClient } from '../../../api/client.ts'
import { rebased } from '../../../parts/changes.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { showErrors } from '../../../parts/form-errors.ts'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useUnsaved } from '../../../parts/unsaved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import type { TabProps } from '../tabs.ts'
import { Preview } from './preview.tsx'
import { configAfter, configOf, type EmbedConfig, type Settings, settingsOf } from './settings.ts'
import { WidgetFields } from './widget-fields.tsx'

type Embed = Awaited<ReturnType<typeof client.embed.get.query>>['data']

/** The assistant's website widget: its settings beside a live preview, and the tag to paste. */
export default function Website({ assistant }: TabProps) {
  const { data, error, refetch } = useQuery(api.embed.get.queryOptions({ assistantId: assistant.assistant_id }))
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={360} />
  return <Editor embed={data.data} />
}

function Editor({ embed }: { embed: Embed }) {
  const mayWrite = useMayWrite('assistants')
  const assistantId = embed.assistant_id
  const stored: EmbedConfig = embed.embed_config
  const [start, setStart] = useState(() => settingsOf(stored))
  const form = useForm<Settings>({ initialValues: start })
  const [shown] = useDebouncedValue(form.values, 400)
  const refresh = () => queryClient.invalidateQueries(api.embed.get.queryFilter({ assistantId }))
  const save = useMutation({
    async mutationFn(values: Settings) {
      const { data } = await client.embed.get.query({ assistantId })
      return client.embed.update.mutate({ assistantId, embed_config: configAfter(start, values, data.embed_config) })
    },
    onSuccess({ data }, values) {
      tellDone('The widget is saved. Pages that have its tag pasted keep their settings until it is pasted again.')
      const fresh = settingsOf(data.embed_config)
      setStart(fresh)
      form.setValues(rebased(values, form.getValues(), fresh))
      refresh()
    },
    onError: (error) => showErrors(form, error, (path) => path.replace(/^embed_config\./, '').replace(/\.\d+$/, '')),
  })
  const rotate = useMutation(
    api.embed.rotateKey.mutationOptions({
      onSuccess({ message }) {
        tellDone(message)
        refresh()
      },
      onError: tellFailed,
    }),
  )
  const dirty = mayWrite && JSON.stringify(form.values) !== JSON.stringify(start)
  useUnsaved(dirty)
  const submit = form.onSubmit((values) => save.mutate(values))
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <form onSubmit={submit} noValidate>
          <Card>
            <Fieldset disabled={!mayWrite} variant="unstyled">
              <WidgetFields form={form} />
            </Fieldset>
          </Card>
          {dirty && <SaveBar saving={save.isPending} onDiscard={() => form.setValues(start)} />}
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack className="beside">
          <Preview config={configOf(shown, stored)} publicKey={embed.public_key} />
          <Card>
            <Stack gap="sm">
              <Group justify="space-between">
                <Text fw={600}>Tag to paste</Text>
                <Copy value={embed.embed_html} what="the tag" />
              </Group>
              <Text size="sm" c="dimmed">
                Put it into the HTML of your pages, before <Code>{'</body>'}</Code>. Visitors then see the widget, and
                what they write stands under Conversations.
              </Text>
              <Code block mah={160} className="scroll wrapped" tabIndex={0}>
                {embed.embed_html}
              </Code>
              {dirty && <Alert color="yellow">Save first: the tag holds the saved settings.</Alert>}
              {mayWrite && (
                <Confirm
                  title="Replace the public key?"
                  text="Pages with the old tag lose their widget at once, until the new tag is pasted."
                  action="Replace the key"
                  onConfirm={() => rotate.mutate({ assistantId })}
                >
                  {(open) => (
                    <Button
                      variant="default"
                      size="xs"
                      leftSection={<IconKey size={15} />}
                      onClick={open}
                      w="fit-content"
                    >
                      Replace the public key
                    </Button>
                  )}
                </Confirm>
              )}
            </Stack>
          </Card>
        </Stack>
      </Grid.Col>
    </Grid>
  )
}
