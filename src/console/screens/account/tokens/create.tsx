import { Button, Group, Modal, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, queryClient } from '../../../api/client.ts'
import { DialogButtons } from '../../../parts/dialog-buttons.tsx'
import { showErrors } from '../../../parts/form-errors.ts'
import { ShownOnce } from '../../../parts/shown-once.tsx'
import { useAskedClose } from '../../../parts/unsaved.ts'
import { type Access, useAccess } from '../../../session/access.tsx'
import { scopesToGive } from './scopes.ts'

/** A dialog that makes a token of the caller's, which is shown this once. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const access = useAccess()
  const form = useForm({
    initialValues: { name: '', scopes: [] as NonNullable<Access['scopes']>, expires_at: '' },
  })
  const create = useMutation(
    api.tokens.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.tokens.pathFilter()),
      // What is refused of one scope is said at the field of all.
      onError: (error) => showErrors(form, error, (path) => path.replace(/\.\d+$/, '')),
    }),
  )
  const made = create.data?.data
  const isKept = create.isPending || made !== undefined
  const close = useAskedClose(!made && form.isDirty(), onClose)
  return (
    <Modal
      opened
      onClose={close}
      title="New token"
      closeOnClickOutside={!isKept}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
    >
      {made ? (
        <Stack>
          <ShownOnce title={`${made.name} signs in with this token`} token={made.token} />
          <Text size="sm">It is shown this once: keep it where nobody else reads it.</Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit(({ name, scopes, expires_at }) =>
            create.mutate({
              name,
              scopes: scopes.length > 0 ? scopes : undefined,
              expires_at: expires_at || undefined,
            }),
          )}
          noValidate
        >
          <Stack>
            <TextInput
              label="Name"
              description="What uses it, such as a device or a program."
              withAsterisk
              data-autofocus
              {...form.getInputProps('name')}
            />
            <MultiSelect
              label="May do"
              description="To sign in here it has to read your account."
              placeholder={form.values.scopes.length > 0 ? undefined : 'As the one you are signed in with'}
              data={scopesToGive(access)}
              {...form.getInputProps('scopes')}
            />
            <TextInput
              label="Ends"
              description="When this day begins (UTC). Without one it lasts as long as the token you are signed in with."
              type="date"
              {...form.getInputProps('expires_at')}
            />
            <DialogButtons action="Create token" isBusy={create.isPending} onCancel={close} isKept={isKept} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}
