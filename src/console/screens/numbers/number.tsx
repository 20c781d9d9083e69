import { Alert, Button, Divider, Drawer, Fieldset, Group, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, client, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyId } from '../../parts/copy.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { SearchSelect } from '../../parts/search-select.tsx'
import { useSharedForm } from '../../parts/shared-form.tsx'
import { useAskedClose } from '../../parts/unsaved.ts'
import { useAccess, useMayWrite } from '../../session/access.tsx'
import { TestCall } from '../assistants/talk/test-call.tsx'
import { DriftNotice } from '../drift/notice.tsx'
import type { PhoneNumber } from './list.tsx'
import { changesOf, labels, type Settings, settingsOf } from './settings.ts'
import { useTarget } from './target.tsx'
import { findTargets, targetIn } from './targets.ts'

const nobody = { value: '', label: 'Nobody' }

/** One number: who answers, what happens otherwise, and where its calls are told. */
export function NumberDrawer({ number, onClose }: { number: PhoneNumber; onClose: () => void }) {
  const mayWrite = useMayWrite('phone_numbers')
  const access = useAccess()
  const target = useTarget(number)
  const id = String(number.id)
  const { data } = useQuery(api.phoneNumbers.get.queryOptions({ id }))
  const done = (message: string) => {
    tellDone(message)
    queryClient.invalidateQueries(api.phoneNumbers.pathFilter())
    queryClient.invalidateQueries(api.assistants.pathFilter())
    onClose()
  }
  const form = useForm({ initialValues: settingsOf(number) })
  const { isChanged, isSaving, submit, question } = useSharedForm<PhoneNumber, Settings>({
    form,
    stored: number,
    valuesOf: settingsOf,
    read: async () => (await client.phoneNumbers.get.query({ id })).data,
    write: async (values, now) =>
      (await client.phoneNumbers.update.mutate({ id, ...changesOf(settingsOf(now), values) })).data,
    nameOf: (name) => labels[name as keyof Settings],
    fieldOf(path) {
      if (path.startsWith('voice_')) return 'target'
      if (path.startsWith('fallback_destination')) return 'fallback'
      return path.startsWith('server') ? 'webhook' : path
    },
    onSaved: () => done('The number is saved.'),
  })
  const release = useMutation(
    api.phoneNumbers.release.mutationOptions({ onSuccess: ({ message }) => done(message), onError: tellFailed }),
  )
  const close = useAskedClose(mayWrite && isChanged, onClose)
  return (
    <Drawer opened onClose={close} position="right" size="md" title={number.phone_number}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <CopyId value={number.phone_number} what="the number" />
          <DriftNotice kind="phone_number" resource={number.phone_number} />
          {!number.voice_phone_number_id && (
            <Alert color="yellow">The voice platform does not have it yet. It is tried again until it does.</Alert>
          )}
          <Fieldset disabled={!mayWrite} variant="unstyled">
            <Stack>
              <TextInput label={labels.name} placeholder="Main line" {...form.getInputProps('name')} />
              <SearchSelect
                label={labels.target}
                queryKey={[...api.assistants.list.pathKey(), 'targets']}
                find={(search) => findTargets(access, search)}
                chosen={target && { value: targetIn(number), label: target.name }}
                fixed={[nobody]}
                none="Make an assistant first: only then can it answer."
                {...form.getInputProps('target')}
              />
              <TextInput label={labels.fallback} placeholder="+14155551234" {...form.getInputProps('fallback')} />
              {form.values.fallback && (
                <Textarea label={labels.fallbackMessage} autosize {...form.getInputProps('fallbackMessage')} />
              )}
              <TextInput
                label={labels.webhook}
                placeholder="https://example.com/hooks"
                {...form.getInputProps('webhook')}
              />
              <Switch
                label={labels.sms_enabled}
                description={data?.data.sms_available === false ? 'This number cannot take any.' : undefined}
                {...form.getInputProps('sms_enabled', { type: 'checkbox' })}
              />
              <Switch
                label={labels.static_ip_enabled}
                {...form.getInputProps('static_ip_enabled', { type: 'checkbox' })}
              />
            </Stack>
          </Fieldset>
          {mayWrite && (
            <Group justify="space-between">
              <Confirm
                title={`Release ${number.phone_number}?`}
                text="It goes back to the carrier, and somebody else may get it."
                action="Release the number"
                onConfirm={() => release.mutate({ id })}
              >
                {(ask) => (
                  <Button variant="default" onClick={ask} loading={release.isPending}>
                    Release
                  </Button>
                )}
              </Confirm>
              <Button type="submit" loading={isSaving}>
                Save changes
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {question}
      {mayWrite && number.voice_phone_number_id && (
        <>
          <Divider my="lg" />
          <TestCall feature="phone_numbers" place={(caller) => client.calls.testNumber.mutate({ id, ...caller })} />
        </>
      )}
    </Drawer>
  )
}
