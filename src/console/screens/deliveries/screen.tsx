import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, client } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { assistantSearch } from '../../parts/assistant-search.ts'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchSelect } from '../../parts/search-select.tsx'
import { useAccess } from '../../session/access.tsx'
import { Deliveries } from './deliveries.tsx'
import { Verification } from './verification.tsx'

const route = getRouteApi('/deliveries')

/**
 * Chosen in place of an assistant: all calls of the workspace, also of deleted assistants, or those that none answered.
 */
const others = [
  { value: 'all', label: 'The whole workspace' },
  { value: 'none', label: 'No assistant' },
] as const

/** The assistant whose webhooks are shown; null where it is not there. */
async function shownAssistant(assistantId: string) {
  try {
    return (await client.assistants.get.query({ assistantId })).data
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

/** What was told about calls, of one assistant or of all of them. */
export function DeliveriesScreen() {
  const { filter = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const { workspace } = useAccess()
  const other = others.find(({ value }) => value === filter)
  const { data, error, refetch } = useQuery({
    queryKey: [...api.assistants.get.pathKey(), 'shown', filter],
    queryFn: () => shownAssistant(filter),
    enabled: other === undefined,
  })
  const assistant = other ? undefined : (data ?? undefined)
  const value = assistant?.assistant_id ?? other?.value ?? (data === null ? 'all' : filter)
  return (
    <Page title="Webhooks" about="What was sent about calls, what came back, and another try.">
      <SearchSelect
        label="Calls of"
        {...assistantSearch}
        fixed={others}
        chosen={assistant && { value: assistant.assistant_id, label: assistant.name }}
        value={value}
        onChange={(next) => navigate({ search: { filter: next }, replace: true })}
        maw={420}
      />
      {error && <Failed error={error} retry={refetch} />}
      {!other && data === undefined && !error && <Skeleton h={240} />}
      {(other || data !== undefined) && (
        <Deliveries
          key={value}
          assistantId={assistant?.assistant_id}
          workspaceId={value === 'all' ? workspace.id : undefined}
          webhook={assistant?.webhook_url ?? null}
        />
      )}
      <Verification />
    </Page>
  )
}
