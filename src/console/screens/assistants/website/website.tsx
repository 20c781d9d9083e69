import { Alert, Button, Card, Code, Fieldset, Grid, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, client, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useSharedForm } from '../../../parts/shared-form.tsx'
import { useUnsaved } from '../../../parts/unsaved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import type { TabProps } from '../tabs.ts'
import { Preview } from './preview.tsx'
import { configAfter, configOf, settingsOf } from './settings.ts'
import { WidgetFields } from './widget-fields.tsx'

type Embed = Awaited<ReturnType<typeof client.embed.get.query>>['data']

const valuesOf = ({ embed_config }: Embed) => settingsOf(embed_config)

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
  const refresh = () => queryClient.invalidateQueries(api.embed.get.queryFilter({ assistantId }))
  const form = useForm({ initialValues: valuesOf(embed) })
  const { isChanged, isSaving, submit, discard, question } = useSharedForm({
    form,
    stored: embed,
    valuesOf,
    read: async () => (await client.embed.get.query({ assistantId })).data,
    write: async (values, now) => {
      const embed_config = configAfter(valuesOf(now), values, now.embed_config)
      return { ...now, ...(await client.embed.update.mutate({ assistantId, embed_config })).data }
    },
    fieldOf: (path) => path.replace(/^embed_config\./, '').replace(/\.\d+$/, ''),
    onSaved() {
      tellDone('The widget is saved. Pages that have its tag pasted keep their settings until it is pasted again.')
      refresh()
    },
  })
  const [shown] = useDebouncedValue(form.values, 400)
  const rotate = useMutation(
    api.embed.rotateKey.mutationOptions({
      onSuccess({ message }) {
        tellDone(message)
        refresh()
      },
      onError: tellFailed,
    }),
  )
  const dirty = mayWrite && isChanged
  useUnsaved(dirty)
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <form onSubmit={submit} noValidate>
          <Card>
            <Fieldset disabled={!mayWrite} variant="unstyled">
              <WidgetFields form={form} />
            </Fieldset>
          </Card>
          {dirty && <SaveBar saving={isSaving} onDiscard={discard} />}
          {question}
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack className="beside">
          <Preview config={configOf(shown, embed.embed_config)} publicKey={embed.public_key} />
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
