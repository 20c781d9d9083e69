import { Alert, Button, Fieldset, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { DialogButtons } from '../../parts/dialog-buttons.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { tellFailed } from '../../parts/saved.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useAskedClose } from '../../parts/unsaved.ts'
import { UserFields, type UserValues } from './user-fields.tsx'

/** A dialog that makes a user, and at once a token, which is shown this once. */
export function CreateUser({ onClose }: { onClose: () => void }) {
  const form = useForm<UserValues>({
    initialValues: {
      name: '',
      email: '',
      role: 'user',
      workspace_role: 'owner',
      features: ['assistants', 'phone_numbers', 'squads', 'ai_chat'],
      assistant_quota: '',
    },
  })
  const [workspace, setWorkspace] = useState<number | string>('')
  const token = useMutation(api.admin.tokens.create.mutationOptions({ onError: tellFailed }))
  const create = useMutation(
    api.admin.users.create.mutationOptions({
      onSuccess({ data }) {
        queryClient.invalidateQueries(api.admin.users.pathFilter())
        token.mutate({ id: data.id, name: 'First token' })
      },
      onError: (error) => showErrors(form, error),
    }),
  )
  const made = token.data?.data
  const user = create.data?.data
  const close = useAskedClose(!create.isSuccess && form.isDirty(), onClose)
  const isKept = create.isPending || token.isPending || made !== undefined
  return (
    <Modal
      opened
      onClose={close}
      title="New user"
      closeOnClickOutside={!isKept}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
    >
      {made ? (
        <Stack>
          <ShownOnce title={`${user?.name} can sign in with this token`} token={made.token} />
          <Text size="sm">It is shown this once: hand it over now.</Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit(({ assistant_quota, ...values }) =>
            user
              ? token.mutate({ id: user.id, name: 'First token' })
              : create.mutate({
                  ...values,
                  assistant_quota: assistant_quota === '' ? null : assistant_quota,
                  workspace_id: workspace === '' ? undefined : Number(workspace),
                }),
          )}
          noValidate
        >
          <Stack>
            <Fieldset disabled={user !== undefined} variant="unstyled">
              <Stack>
                <UserFields form={form} />
                <NumberInput
                  label="Workspace"
                  description="Its id; without one a workspace of the user's own is made."
                  min={1}
                  hideControls
                  value={workspace}
                  onChange={setWorkspace}
                  error={form.errors.workspace_id}
                />
              </Stack>
            </Fieldset>
            {user && token.error && (
              <Alert color="yellow" title={`${user.name} is made, and has no token yet`}>
                Try again, or make one later where the user is shown.
              </Alert>
            )}
            <DialogButtons
              action={user ? 'Create token' : 'Create user and token'}
              isBusy={create.isPending || token.isPending}
              onCancel={close}
              isKept={isKept}
            />
          </Stack>
        </form>
      )}
    </Modal>
  )
}
