import { Button, Group, Paper, Text } from '@mantine/core'

/** Stays in sight while a form has changes. */
export function SaveBar({ saving, onDiscard }: { saving: boolean; onDiscard: () => void }) {
  return (
    <Paper withBorder shadow="lg" p="sm" mt="lg" className="save-bar">
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          Unsaved changes
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
          <Button type="submit" loading={saving}>
            Save changes
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
