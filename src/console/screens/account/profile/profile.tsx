import { Card, Fieldset, Skeleton, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { api, client, queryClient } from '../../../api/client.ts'
import { changedFields } from '../../../parts/changes.ts'
import { CopyId } from '../../../parts/copy.tsx'
import { Facts } from '../../../parts/facts.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatTime } from '../../../parts/format.ts'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { tellDone } from '../../../parts/saved.ts'
import { useSharedForm } from '../../../parts/shared-form.tsx'
import { useUnsaved } from '../../../parts/unsaved.ts'
import { useAccess, useMayWriteOwn } from '../../../session/access.tsx'
import { Picture } from './picture.tsx'

export type User = Awaited<ReturnType<typeof client.profile.get.query>>['data']

/** Who the caller is: what operators decide, and what everybody changes for themselves. */
export default function Profile() {
  const { workspace, workspace_role } = useAccess()
  const { data, error, refetch } = useQuery(api.profile.get.queryOptions())
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={320} />
  const user = data.data
  return (
    <Stack>
      <Card>
        <Facts
          facts={[
            ['Your id', <CopyId key="id" value={String(user.id)} what="your id" />],
            ['E-mail address', user.email],
            ['Workspace', `${workspace.name} · ${workspace_role}`],
            ['Since', formatTime(user.created_at)],
          ]}
        />
      </Card>
      <Picture user={user} />
      <ProfileForm user={user} />
    </Stack>
  )
}

const valuesOf = ({ name, phone, company, bio }: User) => ({
  name,
  phone: phone ?? '',
  company: company ?? '',
  bio: bio ?? '',
})

function ProfileForm({ user }: { user: User }) {
  const mayWrite = useMayWriteOwn()
  const form = useForm({ initialValues: valuesOf(user) })
  const { isChanged, isSaving, submit, discard, question } = useSharedForm({
    form,
    stored: user,
    valuesOf,
    read: async () => (await client.profile.get.query()).data,
    // The name is required with every change.
    write: async (values, now) =>
      (await client.profile.update.mutate({ name: values.name, ...changedFields(valuesOf(now), values) })).data,
    onSaved() {
      tellDone('Your profile is saved.')
      queryClient.invalidateQueries(api.profile.pathFilter())
    },
  })
  const dirty = mayWrite && isChanged
  useUnsaved(dirty)
  return (
    <form onSubmit={submit} noValidate>
      <Card>
        <Fieldset disabled={!mayWrite} variant="unstyled">
          <Stack>
            <TextInput label="Name" withAsterisk autoComplete="name" {...form.getInputProps('name')} />
            <TextInput label="Phone" type="tel" autoComplete="tel" {...form.getInputProps('phone')} />
            <TextInput label="Company" autoComplete="organization" {...form.getInputProps('company')} />
            <Textarea label="About you" autosize minRows={3} maxRows={12} {...form.getInputProps('bio')} />
          </Stack>
        </Fieldset>
      </Card>
      {dirty && <SaveBar saving={isSaving} onDiscard={discard} />}
      {question}
    </form>
  )
}
