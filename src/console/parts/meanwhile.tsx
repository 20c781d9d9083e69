import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { Clash } from './changes.ts'
import { Difference } from './difference.tsx'

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

interface MeanwhileProps {
  /** What both changed; asks while there is something. */
  clashes: readonly Clash[]
  /** What the field at a path is called. */
  nameOf?: (path: string) => string
  /** Saves all the same. */
  onSave: () => void
  /** Back to the form, where nothing is saved. */
  onClose: () => void
}

/** Asks before a save replaces what somebody else changed since the form was opened, and shows how they changed it. */
export function Meanwhile({ clashes, nameOf = (path) => path, onSave, onClose }: MeanwhileProps) {
  return (
    <Modal opened={clashes.length > 0} onClose={onClose} title="Somebody else changed this meanwhile" size="lg">
      <Stack>
        <Text>Nothing is saved yet. What you typed would replace this change of theirs:</Text>
        {clashes.map(([path, theirs, before]) => (
          <Stack key={path} gap={4}>
            <Text size="sm" fw={600}>
              {nameOf(path)}
            </Text>
            <Difference from={textOf(before)} to={textOf(theirs)} />
          </Stack>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Back to the form
          </Button>
          <Button onClick={onSave}>Save mine</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
