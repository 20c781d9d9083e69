import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../api/failure.ts'

/** Whether a part of the console is gone: another version is served since the page was loaded. */
const isOutdated = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message)

/** What went wrong where something should be shown, with another try. */
export function Failed({ error, retry }: { error: unknown; retry?: () => unknown }) {
  if (isOutdated(error)) {
    return (
      <Alert title="The server has a newer console">
        <Text size="sm">This page was loaded before the server was upgraded. Load it again to go on.</Text>
        <Button size="xs" variant="default" mt="sm" onClick={() => location.reload()}>
          Load the page again
        </Button>
      </Alert>
    )
  }
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
