import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { same } from './changes.ts'
import { DialogButtons } from './dialog-buttons.tsx'
import { showErrors } from './form-errors.ts'
import { useAskedClose } from './unsaved.ts'

interface NameDialogProps<Saved> {
  title: string
  label?: string
  placeholder?: string
  /** What it is called so far. */
  start?: string
  /** The button that saves it. */
  action: string
  save(name: string): Promise<Saved>
  /** Called once it is saved; closes the dialog, or leads on. */
  onSaved(saved: Saved): void
  onClose: () => void
}

/** A dialog for a name and nothing else; what is refused of it stays to be mended. */
export function NameDialog<Saved>({
  title,
  label = 'Name',
  placeholder,
  start = '',
  action,
  save,
  onSaved,
  onClose,
}: NameDialogProps<Saved>) {
  const form = useForm({ initialValues: { name: start } })
  const saving = useMutation({
    mutationFn: save,
    onSuccess: onSaved,
    onError: (error) => showErrors(form, error, () => 'name'),
  })
  const close = useAskedClose(!saving.isSuccess && !same(form.values.name, start), onClose)
  return (
    <Modal opened onClose={close} title={title}>
      <form onSubmit={form.onSubmit(({ name }) => saving.mutate(name))} noValidate>
        <Stack>
          <TextInput
            label={label}
            placeholder={placeholder}
            data-autofocus
            withAsterisk
            {...form.getInputProps('name')}
          />
          <DialogButtons action={action} isBusy={saving.isPending || saving.isSuccess} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
