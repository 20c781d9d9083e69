import { ActionIcon, Badge, Card, Grid, Group, Stack, Text } from '@mantine/core'
import { IconFileText, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { formatAgo, formatSize } from '../../../parts/format.ts'
import { Listing } from '../../../parts/listing.tsx'
import { tellFailed } from '../../../parts/saved.ts'
import type { AgentTabProps } from '../tabs.ts'
import { SearchPlayground } from './search.tsx'
import { Upload } from './upload.tsx'

/** What the agent can read up, and a place to try how it finds it. */
export default function Files({ agent, may }: AgentTabProps) {
  const agent_id = agent.id
  const list = useQuery(
    api.agentFiles.list.queryOptions(
      { agent_id },
      {
        refetchInterval: ({ state }) =>
          state.data?.data.some(({ extractable, indexed }) => extractable && !indexed) ? 2000 : false,
      },
    ),
  )
  const refresh = () => queryClient.invalidateQueries(api.agentFiles.list.queryFilter({ agent_id }))
  const remove = useMutation(api.agentFiles.delete.mutationOptions({ onSuccess: refresh, onError: tellFailed }))
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack>
          {may.change && <Upload agentId={agent_id} onDone={refresh} />}
          <Card padding={0}>
            <Listing
              list={list}
              empty={
                <Empty icon={<IconFileText size={28} />} title="No file yet">
                  Upload texts: what is in them becomes part of the agent's answers.
                </Empty>
              }
              columns={[
                {
                  head: 'File',
                  maxWidth: 240,
                  cell: ({ original_name }) => (
                    <Text size="sm" fw={500} truncate>
                      {original_name}
                    </Text>
                  ),
                },
                {
                  head: 'Search',
                  cell({ extractable, indexed, vector_count }) {
                    if (!extractable) return <Badge color="gray">stored only</Badge>
                    if (indexed)
                      return <Badge color="teal">{vector_count === 1 ? '1 passage' : `${vector_count} passages`}</Badge>
                    return <Badge color="yellow">waits or empty</Badge>
                  },
                },
                { head: 'Size', numbers: true, cell: ({ size }) => formatSize(size) },
                { head: 'Added', numbers: true, cell: ({ created_at }) => formatAgo(created_at) },
                {
                  label: 'Actions',
                  align: 'right',
                  cell: ({ id, original_name }) =>
                    may.change && (
                      <Confirm
                        title={`Delete ${original_name}?`}
                        text="The agent forgets what is in it."
                        action="Delete file"
                        onConfirm={() => remove.mutate({ agent_id, file_id: id })}
                      >
                        {(ask) => (
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            aria-label={`Delete ${original_name}`}
                            onClick={ask}
                          >
                            <IconTrash size={16} />
                          </ActionIcon>
                        )}
                      </Confirm>
                    ),
                },
              ]}
              id={({ id }) => id}
              minWidth={560}
            />
          </Card>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Group align="stretch">
          <SearchPlayground agentId={agent_id} />
        </Group>
      </Grid.Col>
    </Grid>
  )
}
