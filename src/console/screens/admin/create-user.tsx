import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { showErrors } from '../../parts/form-errors.ts'
import { tellFailed } from '../../parts/saved.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
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
  const isKept = create.isPending || token.isPending || made !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title="New user"
      closeOnClickOutside={!isKept}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
    >
      {made ? (
        <Stack>
          <ShownOnce title={`${create.data?.data.name} can sign in with this token`} token={made.token} />
          <Text size="sm">It is shown this once: hand it over now.</Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit(({ assistant_quota, ...values }) =>
            create.mutate({
              ...values,
              assistant_quota: assistant_quota === '' ? null : assistant_quota,
              workspace_id: workspace === '' ? undefined : Number(workspace),
            }),
          )}
          noValidate
        >
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
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={isKept}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending || token.isPending}>
                Create user and token
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
