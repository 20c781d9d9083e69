import { Select, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { useAccess } from '../../session/access.tsx'
import { Deliveries } from './deliveries.tsx'
import { Verification } from './verification.tsx'

const route = getRouteApi('/deliveries')

/** Chosen in place of an assistant: all calls of the workspace, also of deleted assistants, or those that none answered. */
const others = { all: 'all', none: 'none' } as const

/** What was told about calls, of one assistant or of all of them. */
export function DeliveriesScreen() {
  const { filter } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(
    api.assistants.list.queryOptions({ per_page: 100, sort_by: 'created_at', sort_order: 'desc' }),
  )
  const { workspace } = useAccess()
  const isOther = filter === others.all || filter === others.none
  const chosen = isOther ? undefined : (data?.data.find(({ assistant_id }) => assistant_id === filter) ?? data?.data[0])
  const value = chosen?.assistant_id ?? (filter === others.none ? others.none : others.all)
  return (
    <Page title="Webhooks" about="What was sent about calls, what came back, and another try.">
      {error && <Failed error={error} retry={refetch} />}
      {!data && !error && <Skeleton h={240} />}
      {data && (
        <>
          <Select
            label="Calls of"
            data={[
              ...data.data.map(({ assistant_id, name }) => ({ value: assistant_id, label: name })),
              { value: others.all, label: 'The whole workspace' },
              { value: others.none, label: 'No assistant' },
            ]}
            value={value}
            onChange={(next) => navigate({ search: { filter: next ?? undefined }, replace: true })}
            allowDeselect={false}
            searchable
            maw={420}
          />
          <Deliveries
            key={value}
            assistantId={chosen?.assistant_id}
            workspaceId={value === others.all ? workspace.id : undefined}
            webhook={chosen?.webhook_url ?? null}
          />
          <Verification />
        </>
      )}
    </Page>
  )
}
