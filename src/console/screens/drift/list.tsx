import { Badge, Button, Card, Group, Select, Text } from '@mantine/core'
import { IconArrowsDiff, IconRefresh } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatAgo, formatNumberOf, formatWord } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { tellFailed } from '../../parts/saved.ts'
import { useMayWriteAccount } from '../../session/access.tsx'
import { DriftDetails } from './details.tsx'
import { type Difference, happened, type Kind, kinds } from './kinds.ts'

const route = getRouteApi('/drift')
const states = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Ended' },
]
const kindChoices = Object.entries(kinds).map(([value, { label }]) => ({ value, label }))

/** What was changed on the voice platform by others than this service, and how each difference ends. */
export function DriftList() {
  const { page = 1, filter: kind, sort } = route.useSearch()
  const navigate = route.useNavigate()
  const [shown, setShown] = useState<Difference>()
  const state = sort === 'resolved' ? 'resolved' : 'open'
  const list = useQuery(
    api.drift.list.queryOptions(
      { page, state, kind: kind && kind in kinds ? (kind as Kind) : undefined },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <Page title="Differences" about="What was changed on the voice platform itself." actions={<Sweep />}>
      <Card padding={0}>
        <Group p="md" align="flex-end">
          <Select
            label="Kind"
            placeholder="All"
            clearable
            data={kindChoices}
            value={kind ?? null}
            onChange={(value) =>
              navigate({ search: (old) => ({ ...old, page: undefined, filter: value ?? undefined }) })
            }
            w={160}
          />
          <Select
            label="State"
            data={states}
            value={state}
            allowDeselect={false}
            onChange={(value) => navigate({ search: (old) => ({ ...old, page: undefined, sort: value ?? undefined }) })}
            w={140}
          />
        </Group>
        <Listing
          list={list}
          empty={
            <Empty
              icon={<IconArrowsDiff size={28} />}
              title={state === 'open' ? 'Nothing differs' : 'Nothing has ended yet'}
            >
              A sweep compares every assistant, squad and number with its live object. What somebody changed there on
              the platform's own dashboard is shown here.
            </Empty>
          }
          columns={[
            { head: 'Name', cell: (row) => <RowButton onClick={() => setShown(row)}>{row.name}</RowButton> },
            { head: 'Kind', cell: (row) => kinds[row.kind].label },
            {
              head: 'What happened',
              cell: (row) => <Badge color={happened[row.difference].color}>{happened[row.difference].label}</Badge>,
            },
            {
              head: 'Values',
              maxWidth: 320,
              cell: ({ leaves }) => (
                <Text size="sm" truncate className="code">
                  {leaves.map(({ path }) => path).join(', ')}
                </Text>
              ),
            },
            {
              head: state === 'open' ? 'Found' : 'Ended',
              numbers: true,
              cell: ({ found_at, resolution, resolved_at }) =>
                resolution ? `${formatWord(resolution)}, ${formatAgo(resolved_at ?? found_at)}` : formatAgo(found_at),
            },
          ]}
          id={({ id }) => id}
          minWidth={820}
          opens
          onPage={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
        />
      </Card>
      {shown && <DriftDetails difference={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

/** When was looked last, and a button that looks now. */
function Sweep() {
  const mayWrite = useMayWriteAccount()
  const { data } = useQuery(
    api.drift.progress.queryOptions(
      {},
      {
        refetchInterval: ({ state }) =>
          state.data?.data.state === 'running' || state.data?.data.state === 'waiting' ? 1000 : false,
      },
    ),
  )
  const isUnderWay = data?.data.state === 'running' || data?.data.state === 'waiting'
  const finishedAt = data?.data.finished_at ?? undefined
  useQuery({
    queryKey: ['drift', 'after', finishedAt],
    queryFn: async () => {
      await queryClient.invalidateQueries(api.drift.list.pathFilter())
      return finishedAt
    },
    enabled: finishedAt !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const scan = useMutation(
    api.drift.scan.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.drift.progress.pathFilter()),
      onError: tellFailed,
    }),
  )
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {isUnderWay && `Looked at ${formatNumberOf(data.data.checked, 'object')} so far`}
        {!isUnderWay &&
          finishedAt &&
          `Looked at ${formatNumberOf(data?.data.checked ?? 0, 'object')}, ${formatAgo(finishedAt)}`}
      </Text>
      {mayWrite && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={scan.isPending || isUnderWay}
          onClick={() => scan.mutate({})}
        >
          Look now
        </Button>
      )}
    </>
  )
}
