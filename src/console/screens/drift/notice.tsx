import { Alert, Button, Group, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { waited } from '../../api/reach.ts'
import type { Kind } from './kinds.ts'

const DriftDetails = lazy(waited(async () => ({ default: (await import('./details.tsx')).DriftDetails })))

/** Where both sides differ; operators alone see which engine is used. */
function placesOf(leaves: { path: string }[]): string {
  if (leaves.length === 0) return 'Here and there differ in what operators choose.'
  const paths = leaves.map(({ path }) => path).slice(0, 3)
  return `Here and there differ in ${paths.join(', ')}${leaves.length > 3 ? ' and more' : ''}.`
}

/**
 * On a resource's page: that it was changed on the voice platform, and the way to end that. Nothing while both agree.
 */
export function DriftNotice({ kind, resource }: { kind: Kind; resource: string }) {
  const [open, setOpen] = useState(false)
  const { data } = useQuery(api.drift.list.queryOptions({ kind, resource, per_page: 1 }))
  const difference = data?.data[0]
  if (!difference) return null
  const isLost = difference.difference === 'missing'
  return (
    <Alert
      color={isLost ? 'red' : 'yellow'}
      icon={<IconArrowsDiff size={18} />}
      title={isLost ? 'The voice platform has lost it' : 'It was changed on the voice platform'}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{isLost ? 'The record is still here.' : placesOf(difference.leaves)}</Text>
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          Show the difference
        </Button>
      </Group>
      {open && (
        <Suspense>
          <DriftDetails difference={difference} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Alert>
  )
}
