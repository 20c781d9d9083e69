import { Alert, List } from '@mantine/core'
import type { bothChanged } from './changes.ts'

/** What others changed since a form was read, and the form as well: nothing is saved yet, and saving once more overrules it. */
export function Clashes({ theirs }: { theirs: ReturnType<typeof bothChanged> }) {
  if (theirs.length === 0) return null
  return (
    <Alert color="yellow" title="Somebody else changed this meanwhile" role="alert">
      Nothing is saved yet. Save again to put what stands here in the place of:
      <List size="sm">
        {theirs.map(([path, value]) => (
          <List.Item key={path} className="prose">
            {path}: {sayValue(value)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function sayValue(value: unknown): string {
  if (value === undefined) return 'taken away'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
