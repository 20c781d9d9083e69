import { Alert, Badge, Card, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type client } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { Figure } from '../../parts/figure.tsx'
import { formatCount, formatNumberOf, formatWord } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'

type Installation = Awaited<ReturnType<typeof client.admin.installation.get.query>>['data']
type Work = Installation['work'][number]

/** Work that is so late in seconds waits for something. */
const lateSeconds = 30

function Upgrade({ database }: Pick<Installation, 'database'>) {
  const { pending, unknown } = database.migrations
  if (pending > 0) {
    return (
      <Alert color="red" title="An upgrade is not finished">
        {formatNumberOf(pending, 'migration')} of this version wait. Run the migrations, or start the server again.
      </Alert>
    )
  }
  if (unknown > 0) {
    return (
      <Alert color="yellow" title="A newer version runs, too">
        The database has {formatNumberOf(unknown, 'migration')} that this version does not know: a rolling upgrade is
        under way, or this server was started from an older version.
      </Alert>
    )
  }
  return null
}

function State({ work }: { work: Work }) {
  const { running, dead, failing, due_in_seconds } = work
  if (dead) return <Badge color="red">gave up {formatCount(dead)}</Badge>
  if (due_in_seconds !== null && due_in_seconds < -lateSeconds) return <Badge color="yellow">late</Badge>
  if (failing) return <Badge color="yellow">tries again</Badge>
  return running ? <Badge color="teal">running</Badge> : <Badge color="gray">at rest</Badge>
}

/** A count; work that has no queue has none. */
const numberOf = (value: number | null) =>
  value === null ? (
    <span className="dimmed" title="Runs by the clock, and has no queue to count">
      –
    </span>
  ) : (
    formatCount(value)
  )

/** The version, how far an upgrade is, and background work kind by kind. */
export default function System() {
  const { data, error, refetch } = useQuery(api.admin.installation.get.queryOptions({}, { refetchInterval: 5_000 }))
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={320} />
  const { version, ready, reason, voice_platform, database, work } = data.data
  return (
    <Stack>
      {!ready && <Alert color="red" title={`It serves no requests: ${reason}`} />}
      <Upgrade database={database} />
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure name="Version" value={version} note={ready ? 'Ready' : 'Not ready'} />
        <Figure
          name="Database"
          value={database.kind === 'embedded' ? 'Embedded' : 'PostgreSQL'}
          note={`${formatNumberOf(database.migrations.applied, 'migration')} applied`}
        />
        <Figure name="Voice platform" value={voice_platform === 'live' ? 'Live' : 'Embedded'} note={voice_platform} />
        <Figure
          name="Given up"
          value={formatCount(work.reduce((sum, { dead }) => sum + (dead ?? 0), 0))}
          note="Of all background work"
        />
      </SimpleGrid>
      <Card padding={0}>
        <Title order={2} size="h5" p="md" pb={4}>
          Background work
        </Title>
        <Text size="sm" c="dimmed" px="md" pb="xs">
          What has a dash runs by the clock: it looks for what has run out, and nothing waits for it.
        </Text>
        <Listing
          list={{ data: { data: work } }}
          columns={[
            {
              head: 'Kind',
              maxWidth: 320,
              cell: ({ name, last_error }) => (
                <>
                  <Text size="sm" fw={500}>
                    {formatWord(name)}
                  </Text>
                  {last_error && (
                    <Text size="xs" c="dimmed" truncate title={last_error}>
                      {last_error}
                    </Text>
                  )}
                </>
              ),
            },
            { head: 'State', cell: (row) => <State work={row} /> },
            { head: 'Due', align: 'right', numbers: true, cell: ({ due }) => numberOf(due) },
            { head: 'Running', align: 'right', numbers: true, cell: ({ claimed }) => numberOf(claimed) },
            { head: 'Waiting', align: 'right', numbers: true, cell: ({ waiting }) => numberOf(waiting) },
            { head: 'Failing', align: 'right', numbers: true, cell: ({ failing }) => numberOf(failing) },
            { head: 'Given up', align: 'right', numbers: true, cell: ({ dead }) => numberOf(dead) },
          ]}
          id={({ name }) => name}
          minWidth={720}
        />
      </Card>
    </Stack>
  )
}
