import { Alert, Badge, Button, Card, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core'
import { IconArrowBackUp, IconArrowsDiff, IconHistory, IconPencil, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type client } from '../../../api/client.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatAgo, formatTime } from '../../../parts/format.ts'
import { Pager } from '../../../parts/pager.tsx'
import type { TabProps } from '../tabs.ts'
import { Changes, seen } from './changes.tsx'
import { Comparison } from './comparison.tsx'
import { places } from './labels.ts'
import { Restore } from './restore.tsx'

const route = getRouteApi('/assistants/$assistantId')

type Version = Awaited<ReturnType<typeof client.assistantVersions.list.query>>['data'][number]

const icons = { created: IconPlus, updated: IconPencil, restored: IconArrowBackUp }
const verbs = { created: 'created it', updated: 'changed it', restored: 'restored an earlier version' }

/** What the assistant was, change by change, with a way back; the address says which two versions are compared. */
export default function History({ assistant }: TabProps) {
  const { page, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const assistantId = assistant.assistant_id
  const { data, error, refetch } = useQuery(
    api.assistantVersions.list.queryOptions({ assistantId, page }, { placeholderData: keepPreviousData }),
  )
  const compare = (versions: { from?: number; to?: number }) =>
    navigate({ search: { filter: 'history', page, ...versions }, resetScroll: false })
  if (from !== undefined && to !== undefined) {
    return <Comparison assistantId={assistantId} from={from} to={to} onClose={() => compare({})} />
  }
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={240} />
  /** Chosen first or second, the older one stands first. */
  const choose = (id: number) =>
    compare(from === undefined ? { from: id } : { from: Math.min(from, id), to: Math.max(from, id) })
  if (data.pagination.total === 0) {
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
      {from !== undefined && (
        <Alert mb="lg">
          <Group justify="space-between" className="wrapping">
            <Text size="sm">Choose a second version, on this page or another, to compare the first with.</Text>
            <Button size="xs" variant="default" onClick={() => compare({})}>
              Do not compare
            </Button>
          </Group>
        </Alert>
      )}
      <Timeline bulletSize={28} lineWidth={2} active={-1}>
        {data.data.map((version) => {
          const Icon = icons[version.action]
          return (
            <Timeline.Item key={version.id} bullet={<Icon size={15} />}>
              <Entry
                assistantId={assistantId}
                version={version}
                first={from}
                onCompare={
                  data.pagination.total > 1 ? () => (version.id === from ? compare({}) : choose(version.id)) : undefined
                }
              />
            </Timeline.Item>
          )
        })}
      </Timeline>
      {data.pagination.total === 1 && (
        <Text size="sm" c="dimmed">
          Every save adds an entry here, with what it changed and a way back to what was before.
        </Text>
      )}
      <Pager
        pagination={data.pagination}
        onChange={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
      />
    </Card>
  )
}

interface EntryProps {
  assistantId: string
  version: Version
  /** The entry that another one is to be compared with. */
  first: number | undefined
  /** Chooses it, or not any more; undefined where there is nothing to compare with. */
  onCompare: (() => void) | undefined
}

function Entry({ assistantId, version, first, onCompare }: EntryProps) {
  const { actor, action, source, is_current, restorable, created_at } = version
  const changes = seen(version.changes)
  const place = places[source]
  const [open, setOpen] = useState(false)
  const isFirst = first === version.id
  return (
    <Stack gap="xs" pb="sm">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2} flex="1 1 240px" miw={0}>
          <Group gap="xs">
            <Text fw={600} className="prose">
              {actor.name} {verbs[action]}
            </Text>
            {place && <Badge color="gray">{place}</Badge>}
            {is_current && <Badge color="teal">current</Badge>}
            {isFirst && <Badge>to compare</Badge>}
          </Group>
          <Text size="sm" c="dimmed" className="prose" title={formatTime(created_at)}>
            {formatAgo(created_at)} · {version.summary}
          </Text>
        </Stack>
        <Group gap="xs" className="wrapping">
          {changes.length > 0 && (
            <Button size="xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
              {open ? 'Hide changes' : 'Show changes'}
            </Button>
          )}
          {restorable && onCompare && (
            <Button
              size="xs"
              variant={isFirst ? 'light' : 'default'}
              leftSection={<IconArrowsDiff size={15} />}
              onClick={onCompare}
              aria-pressed={isFirst || undefined}
            >
              {first === undefined || isFirst ? 'Compare' : 'Compare with this'}
            </Button>
          )}
          {restorable && !is_current && <Restore assistantId={assistantId} entryId={version.id} at={created_at} />}
        </Group>
      </Group>
      {open && <Changes changes={changes} />}
    </Stack>
  )
}
