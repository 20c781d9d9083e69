import { Card, Select, Skeleton } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Verification } from './verification.tsx'

const route = getRouteApi('/deliveries')

/** Chosen in place of an assistant: calls to numbers that none of them answered. */
const none = 'none'

/** What was told about calls, for one assistant at a time. */
export function DeliveriesScreen() {
  const { filter } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(
    api.assistants.list.queryOptions({ per_page: 100, sort_by: 'created_at', sort_order: 'desc' }),
  )
  const chosen = data?.data.find(({ assistant_id }) => assistant_id === filter) ?? data?.data[0]
  return (
    <Page title="Webhooks" about="What was sent about calls, what came back, and another try.">
      {error && <Failed error={error} retry={refetch} />}
      {!data && !error && <Skeleton h={240} />}
      {data && !chosen && (
        <Card>
          <Empty icon={<IconWebhook size={28} />} title="No assistant yet">
            Create an assistant and name a webhook: what happens in its calls is sent there.
          </Empty>
        </Card>
      )}
      {data && chosen && (
        <>
          <Select
            label="Assistant"
            data={[
              ...data.data.map(({ assistant_id, name }) => ({ value: assistant_id, label: name })),
              { value: none, label: 'Calls that no assistant answered' },
            ]}
            value={filter === none ? none : chosen.assistant_id}
            onChange={(value) => navigate({ search: { filter: value ?? undefined }, replace: true })}
            allowDeselect={false}
            searchable
            maw={420}
          />
          {filter === none ? (
            <Deliveries webhook={null} />
          ) : (
            <Deliveries
              key={chosen.assistant_id}
              assistantId={chosen.assistant_id}
              webhook={chosen.webhook_url ?? null}
            />
          )}
          <Verification />
        </>
      )}
    </Page>
  )
}
