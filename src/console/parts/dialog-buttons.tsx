import { Button, Group } from '@mantine/core'

interface DialogButtonsProps {
  /** What the button says that sends the form. */
  action: string
  isBusy: boolean
  onCancel: () => void
  /** Whether the dialog has to stay. */
  isKept?: boolean
}

/** The buttons at the end of a dialog's form. */
export function DialogButtons({ action, isBusy, onCancel, isKept }: DialogButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={isKept}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy}>
        {action}
      </Button>
    </Group>
  )
}
