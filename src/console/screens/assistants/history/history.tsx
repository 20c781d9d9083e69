import { Badge, Button, Card, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core'
import { IconArrowBackUp, IconHistory, IconPencil, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatAgo, formatTime } from '../../../parts/format.ts'
import { Pager } from '../../../parts/pager.tsx'
import { tellDone, tellFailed } from '../../../parts/saved.ts'
import { useMayWrite } from '../../../session/access.tsx'
import type { TabProps } from '../tabs.ts'
import { Changes, seen } from './changes.tsx'
import { places } from './labels.ts'

type Version = Awaited<ReturnType<typeof client.assistantVersions.list.query>>['data'][number]

const icons = { created: IconPlus, updated: IconPencil, restored: IconArrowBackUp }
const verbs = { created: 'created it', updated: 'changed it', restored: 'restored an earlier version' }

/** What the assistant was, change by change, with a way back. */
export default function History({ assistant }: TabProps) {
  const [page, setPage] = useState(1)
  const assistantId = assistant.assistant_id
  const { data, error, refetch } = useQuery(
    api.assistantVersions.list.queryOptions({ assistantId, page }, { placeholderData: keepPreviousData }),
  )
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={240} />
  if (data.data.length === 0) {
    return (
      <Card>
        <Empty icon={<IconHistory size={28} />} title="No history">
          Every save is kept here from now on.
        </Empty>
      </Card>
    )
  }
  return (
    <Card>
      <Timeline bulletSize={28} lineWidth={2} active={-1}>
        {data.data.map((version) => {
          const Icon = icons[version.action]
          return (
            <Timeline.Item key={version.id} bullet={<Icon size={15} />}>
              <Entry assistantId={assistantId} version={version} />
            </Timeline.Item>
          )
        })}
      </Timeline>
      {data.pagination.total === 1 && (
        <Text size="sm" c="dimmed">
          Every save adds an entry here, with what it changed and a way back to what was before.
        </Text>
      )}
      <Pager pagination={data.pagination} onChange={setPage} />
    </Card>
  )
}

function Entry({ assistantId, version }: { assistantId: string; version: Version }) {
  const { actor, action, source, is_current, restorable, created_at } = version
  const changes = seen(version.changes)
  const place = places[source]
  const [open, setOpen] = useState(false)
  return (
    <Stack gap="xs" pb="sm">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Group gap="xs">
            <Text fw={600}>
              {actor.name} {verbs[action]}
            </Text>
            {place && <Badge color="gray">{place}</Badge>}
            {is_current && <Badge color="teal">current</Badge>}
          </Group>
          <Text size="sm" c="dimmed" title={formatTime(created_at)}>
            {formatAgo(created_at)} · {version.summary}
          </Text>
        </Stack>
        <Group gap="xs">
          {changes.length > 0 && (
            <Button size="xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
              {open ? 'Hide changes' : 'Show changes'}
            </Button>
          )}
          {restorable && !is_current && <Restore assistantId={assistantId} entryId={version.id} at={created_at} />}
        </Group>
      </Group>
      {open && <Changes changes={changes} />}
    </Stack>
  )
}

function Restore({ assistantId, entryId, at }: { assistantId: string; entryId: number; at: string }) {
  const mayWrite = useMayWrite('assistants')
  const restore = useMutation(
    api.assistantVersions.restore.mutationOptions({
      onSuccess({ message }) {
        tellDone(message)
        queryClient.invalidateQueries(api.assistantVersions.pathFilter())
        queryClient.invalidateQueries(api.assistants.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  if (!mayWrite) return null
  return (
    <Confirm
      title="Restore this version?"
      text={`The assistant becomes what it was on ${formatTime(at)}, also on the voice platform. What it is now stays in the history.`}
      action="Restore"
      harmless
      onConfirm={() => restore.mutate({ assistantId, entryId })}
    >
      {(open) => (
        <Button size="xs" loading={restore.isPending} onClick={open}>
          Restore
        </Button>
      )}
    </Confirm>
  )
}
