import { Badge, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { CopyId } from '../../parts/copy.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { ScreenTabs } from '../../parts/screen-tabs.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Rebuild } from '../build/rebuild.tsx'
import { DriftNotice } from '../drift/notice.tsx'
import { DeleteAssistant } from './delete.tsx'
import { tabs } from './tabs.ts'

const route = getRouteApi('/assistants/$assistantId')

/** One assistant: what it is, what it said, and what it was before. */
export function AssistantScreen() {
  const { assistantId } = route.useParams()
  const { filter: open = 'edit' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(api.assistants.get.queryOptions({ assistantId }))
  if (statusOf(error) === 404) return <NotFound />
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Waiting />
  const assistant = data.data
  return (
    <Page
      title={assistant.name}
      about={
        <Group gap="sm">
          <Badge color={assistant.type === 'production' ? 'teal' : 'gray'}>{assistant.type}</Badge>
          {assistant.phone_number && <span className="numbers">{assistant.phone_number}</span>}
          <CopyId value={assistantId} what="the assistant's id" short />
        </Group>
      }
      actions={
        <>
          <Rebuild assistantId={assistantId} />
          <DeleteAssistant assistantId={assistantId} name={assistant.name} />
        </>
      }
    >
      <DriftNotice kind="assistant" resource={assistantId} />
      <ScreenTabs
        key={assistantId}
        tabs={tabs}
        open={open}
        onOpen={(tab) => navigate({ search: { filter: tab } })}
        content={{ assistant }}
      />
    </Page>
  )
}

function Waiting() {
  return (
    <Stack>
      <Skeleton h={40} w={260} />
      <Skeleton h={360} />
    </Stack>
  )
}
