import { ActionIcon, Button, Code, Drawer, Fieldset, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, queryClient } from '../../api/client.ts'
import { changedFields } from '../../parts/changes.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatAgo } from '../../parts/format.ts'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { useSharedForm } from '../../parts/shared-form.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useAskedClose } from '../../parts/unsaved.ts'
import { useMayAdminister } from '../../session/access.tsx'
import { UserFields, type UserValues } from './user-fields.tsx'
import type { User } from './users.tsx'

const valuesOf = ({ name, email, role, workspace_role, features, assistant_quota }: User): UserValues => ({
  name,
  email,
  role,
  workspace_role,
  features,
  assistant_quota: assistant_quota ?? '',
})

/** One user: what operators decide about it, and its tokens. */
export function UserDrawer({ user, onClose }: { user: User; onClose: () => void }) {
  const mayAdminister = useMayAdminister()
  /** While a token is made and shown, which is once. */
  const [isKept, setKept] = useState(false)
  const done = () => {
    tellDone('The user is saved.')
    queryClient.invalidateQueries(api.admin.users.pathFilter())
    if (!isKept) onClose()
  }
  const form = useForm({ initialValues: valuesOf(user) })
  const { isChanged, isSaving, submit, question } = useSharedForm<User, UserValues>({
    form,
    stored: user,
    valuesOf,
    read: async () => (await client.admin.users.get.query({ id: user.id })).data,
    async write(values, now) {
      const { assistant_quota: quota, ...changed } = changedFields(valuesOf(now), values)
      const update = { id: user.id, ...changed, assistant_quota: quota === '' ? null : quota }
      return (await client.admin.users.update.mutate(update)).data
    },
    onSaved: done,
  })
  const close = useAskedClose(mayAdminister && isChanged, onClose)
  const suspend = useMutation(api.admin.users.update.mutationOptions({ onSuccess: done, onError: tellFailed }))
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="md"
      title={user.name}
      closeOnClickOutside={!isKept}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
    >
      <Stack gap="xl">
        <form onSubmit={submit} noValidate>
          <Fieldset disabled={!mayAdminister} variant="unstyled">
            <Stack>
              <UserFields form={form} />
              <Confirm
                title={`Suspend ${user.name}?`}
                text="All tokens of the user are refused at once, until this is taken back."
                action="Suspend user"
                onConfirm={() => suspend.mutate({ id: user.id, status: 'suspended' })}
              >
                {(ask) => (
                  <Switch
                    label="Suspended: its tokens are refused"
                    checked={(suspend.data?.data ?? user).status === 'suspended'}
                    onChange={(event) =>
                      event.currentTarget.checked ? ask() : suspend.mutate({ id: user.id, status: 'active' })
                    }
                  />
                )}
              </Confirm>
              {mayAdminister && (
                <Button ms="auto" type="submit" loading={isSaving}>
                  Save changes
                </Button>
              )}
            </Stack>
          </Fieldset>
        </form>
        {question}
        <UserTokens id={user.id} onShown={setKept} />
      </Stack>
    </Drawer>
  )
}

interface UserTokensProps {
  id: number
  /** Told true when a token is asked for, and false when it needs not be shown any more. */
  onShown: (isShown: boolean) => void
}

function UserTokens({ id, onShown }: UserTokensProps) {
  const mayAdminister = useMayAdminister()
  const { data } = useQuery(api.admin.tokens.list.queryOptions({ id, per_page: 50 }))
  const refresh = () => queryClient.invalidateQueries(api.admin.tokens.pathFilter())
  const create = useMutation(
    api.admin.tokens.create.mutationOptions({
      onMutate: () => onShown(true),
      onSuccess: refresh,
      onError(error) {
        onShown(false)
        tellFailed(error)
      },
    }),
  )
  const revoke = useMutation(api.admin.tokens.delete.mutationOptions({ onSuccess: refresh, onError: tellFailed }))
  const made = create.data?.data
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h5">
          Tokens
        </Title>
        {mayAdminister && (
          <Button
            size="xs"
            variant="default"
            onClick={() => create.mutate({ id, name: 'Console' })}
            loading={create.isPending}
            disabled={create.isSuccess}
          >
            New token
          </Button>
        )}
      </Group>
      {made && (
        <ShownOnce title="Shown this once" token={made.token}>
          <Button
            size="xs"
            variant="default"
            mt="sm"
            onClick={() => {
              create.reset()
              onShown(false)
            }}
          >
            Done
          </Button>
        </ShownOnce>
      )}
      {data?.data.length === 0 && !made && (
        <Text size="sm" c="dimmed">
          None: without a token this user cannot sign in.
        </Text>
      )}
      {data?.data.map(({ id: tokenId, name, prefix, last_used_at }) => (
        <Group key={tokenId} justify="space-between" wrap="nowrap">
          <div>
            <Text size="sm" fw={500}>
              {name} <Code>{prefix}…</Code>
            </Text>
            <Text size="xs" c="dimmed">
              {last_used_at ? `Used ${formatAgo(last_used_at)}` : 'Never used'}
            </Text>
          </div>
          {mayAdminister && (
            <Confirm
              title={`Revoke ${name}?`}
              text="Whatever signs in with it is refused from then on."
              action="Revoke token"
              onConfirm={() => revoke.mutate({ id, token_id: tokenId })}
            >
              {(ask) => (
                <ActionIcon variant="subtle" color="gray" aria-label={`Revoke ${name}`} onClick={ask}>
                  <IconX size={16} />
                </ActionIcon>
              )}
            </Confirm>
          )}
        </Group>
      ))}
    </Stack>
  )
}
