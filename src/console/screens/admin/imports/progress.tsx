import { Alert, Badge, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, type client, queryClient } from '../../../api/client.ts'
import { formatCount, formatWord } from '../../../parts/format.ts'
import { Listing } from '../../../parts/listing.tsx'

type Import = Awaited<ReturnType<typeof client.imports.create.mutate>>['data']

const colors = { pending: 'gray', adopted: 'teal', refused: 'red' } as const
const titles = { dry_run: 'What would happen', running: 'The import runs', finished: 'The import is finished' } as const

/** How far an import is, item by item; of one that was only tried, what it would do. */
export function ImportProgress({ started, onFinished }: { started: Import; onFinished: () => unknown }) {
  const { id } = started
  const { data } = useQuery(
    api.imports.get.queryOptions(
      { id: id ?? 0 },
      {
        enabled: id !== null,
        initialData: { success: true, data: started },
        refetchInterval: ({ state }) => (state.data?.data.state === 'running' ? 1000 : false),
      },
    ),
  )
  const now = id === null ? started : data.data
  const isFinished = now.state === 'finished'
  useEffect(() => {
    if (!isFinished) return
    for (const part of [api.assistants, api.squads, api.phoneNumbers]) queryClient.invalidateQueries(part.pathFilter())
    onFinished()
  }, [isFinished, onFinished])
  const isTry = now.state === 'dry_run'
  return (
    <Card padding={0} role="status">
      <Stack p="md" gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {titles[now.state]}
          </Title>
          <Text size="sm" c="dimmed" className="numbers">
            {isTry
              ? `${formatCount(now.pending)} would be imported, ${formatCount(now.refused)} not`
              : `${formatCount(now.adopted)} of ${formatCount(now.total)} imported, ${formatCount(now.refused)} refused`}
          </Text>
        </Group>
        {!isTry && (
          <Progress
            value={now.total === 0 ? 100 : ((now.adopted + now.refused) / now.total) * 100}
            aria-label="How far the import is"
          />
        )}
        {now.error && <Alert color="yellow">{now.error}</Alert>}
      </Stack>
      <Listing
        list={{ data: { data: now.items } }}
        columns={[
          { head: 'Name', maxWidth: 260, cell: ({ name }) => name },
          { head: 'Kind', cell: ({ kind }) => formatWord(kind) },
          {
            head: 'State',
            cell: ({ state }) => (
              <Badge color={isTry && state === 'pending' ? 'teal' : colors[state]}>
                {isTry && state === 'pending' ? 'would be imported' : state}
              </Badge>
            ),
          },
          { head: 'Why', maxWidth: 320, cell: ({ reason }) => reason },
        ]}
        id={({ voice_id }) => voice_id}
        minWidth={560}
      />
    </Card>
  )
}
