import { Button, Card, Group, Skeleton, Stack, Title } from '@mantine/core'
import { IconArrowLeft, IconEqual } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatTime } from '../../../parts/format.ts'
import { Changes, seen } from './changes.tsx'
import { Restore } from './restore.tsx'

interface ComparisonProps {
  assistantId: string
  /** Entries of its history. */
  from: number
  to: number
  onClose: () => void
}

/** What differs from one version to another. */
export function Comparison({ assistantId, from, to, onClose }: ComparisonProps) {
  const { data, error, refetch } = useQuery(
    api.assistantVersions.compare.queryOptions({ assistantId, entryId: from, otherId: to }),
  )
  const compared = data?.data
  const changes = seen(compared?.changes ?? [])
  return (
    <Card>
      <Stack>
        <Group justify="space-between" className="wrapping">
          <Title order={2} size="h5">
            {compared
              ? `From ${formatTime(compared.from.created_at)} to ${formatTime(compared.to.created_at)}`
              : 'Two versions'}
          </Title>
          <Group gap="xs">
            {compared && <Restore assistantId={assistantId} entryId={compared.from.id} at={compared.from.created_at} />}
            <Button variant="default" size="xs" leftSection={<IconArrowLeft size={15} />} onClick={onClose}>
              Back to the history
            </Button>
          </Group>
        </Group>
        {error && <Failed error={error} retry={refetch} />}
        {!compared && !error && <Skeleton h={240} />}
        {compared && changes.length === 0 && (
          <Empty icon={<IconEqual size={28} />} title="No difference">
            Both versions say the same.
          </Empty>
        )}
        {changes.length > 0 && <Changes changes={changes} />}
      </Stack>
    </Card>
  )
}
