import { Badge, Button, Card, Group, Skeleton, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api, client, queryClient } from '../../api/client.ts'
import { statusOf } from '../../api/failure.ts'
import { waited } from '../../api/reach.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyId } from '../../parts/copy.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { useMayWrite } from '../../session/access.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { TestCall } from '../assistants/talk/test-call.tsx'
import { DriftNotice } from '../drift/notice.tsx'

const Graph = lazy(waited(() => import('./graph.tsx')))
const route = getRouteApi('/squads/$squadId')

/** One squad as a graph of hand-offs. */
export function SquadScreen() {
  const { squadId } = route.useParams()
  const navigate = route.useNavigate()
  const mayWrite = useMayWrite('squads')
  const { data, error, refetch } = useQuery(api.squads.get.queryOptions({ id: squadId }))
  const remove = useMutation(
    api.squads.delete.mutationOptions({
      async onSuccess({ message }) {
        tellDone(message)
        await navigate({ to: '/squads', ignoreBlocker: true })
        queryClient.invalidateQueries(api.squads.list.pathFilter())
      },
      onError: tellFailed,
    }),
  )
  if (statusOf(error) === 404) return <NotFound />
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={420} />
  const squad = data.data
  return (
    <Page
      title={squad.name}
      about={
        <Group gap="sm">
          <Badge color={squad.status === 'published' ? 'teal' : 'gray'}>{squad.status}</Badge>
          <CopyId value={squad.external_squad_id} what="the squad's id" />
        </Group>
      }
      actions={
        mayWrite && (
          <Confirm
            title={`Delete ${squad.name}?`}
            text="Its assistants stay. Numbers that lead to it are not answered any more."
            action="Delete squad"
            onConfirm={() => remove.mutate({ id: squadId })}
          >
            {(ask) => (
              <Button variant="default" leftSection={<IconTrash size={16} />} onClick={ask} loading={remove.isPending}>
                Delete
              </Button>
            )}
          </Confirm>
        )
      }
    >
      <DriftNotice kind="squad" resource={squadId} />
      <Suspense fallback={<Skeleton h={420} />}>
        <Graph key={squadId} squad={squad} />
      </Suspense>
      {mayWrite && (
        <Card maw={760}>
          {squad.status === 'published' ? (
            <TestCall
              key={squadId}
              feature="squads"
              place={(caller) => client.calls.testSquad.mutate({ id: squadId, ...caller })}
            />
          ) : (
            <Text c="dimmed">Once it is published you can talk to it here.</Text>
          )}
        </Card>
      )}
    </Page>
  )
}
