import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface ConfirmProps {
  title: string
  /** What will happen. */
  text: ReactNode
  /** The button that does it. */
  action: string
  onConfirm: () => void
  /** Whether nothing is lost by it, so that it needs no colour of danger. */
  harmless?: boolean
  /** What opens the question. */
  children: (open: () => void) => ReactNode
}

/** Asks before something that matters. */
export function Confirm({ title, text, action, onConfirm, harmless, children }: ConfirmProps) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      {children(open)}
      <Modal opened={opened} onClose={close} title={title} centered>
        <Stack>
          <Text component="div">{text}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button
              color={harmless ? undefined : 'red.9'}
              onClick={() => {
                close()
                onConfirm()
              }}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
