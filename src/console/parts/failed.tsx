import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../api/failure.ts'

/** What went wrong where something should be shown, with another try. */
export function Failed({ error, retry }: { error: unknown; retry?: () => unknown }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title="This could not be loaded">
      <Text size="sm">{messageOf(error)}</Text>
      {retry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={() => retry()}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  )
}
