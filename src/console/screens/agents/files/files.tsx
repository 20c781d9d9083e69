import { ActionIcon, Badge, Card, Grid, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconFileText, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queryClient } from '../../../api/client.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Failed } from '../../../parts/failed.tsx'
import { formatAgo, formatSize } from '../../../parts/format.ts'
import { Rows } from '../../../parts/rows.tsx'
import { tellFailed } from '../../../parts/saved.ts'
import type { AgentTabProps } from '../tabs.ts'
import { SearchPlayground } from './search.tsx'
import { Upload } from './upload.tsx'

/** What the agent can read up, and a place to try how it finds it. */
export default function Files({ agent }: AgentTabProps) {
  const agent_id = agent.id
  const { data, error, refetch } = useQuery(
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
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Skeleton h={240} />
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack>
          <Upload agentId={agent_id} onDone={refresh} />
          <Card padding={0}>
            {data.data.length === 0 ? (
              <Empty icon={<IconFileText size={28} />} title="No file yet">
                Upload texts: what is in them becomes part of the agent's answers.
              </Empty>
            ) : (
              <Rows>
                <Table miw={480}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>File</Table.Th>
                      <Table.Th>Search</Table.Th>
                      <Table.Th>Size</Table.Th>
                      <Table.Th>Added</Table.Th>
                      <Table.Th aria-label="Actions" />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {data.data.map(({ id, original_name, size, extractable, indexed, vector_count, created_at }) => (
                      <Table.Tr key={id}>
                        <Table.Td maw={240}>
                          <Text size="sm" fw={500} truncate>
                            {original_name}
                          </Text>
                        </Table.Td>
                        <Table.Td>
                          {!extractable && <Badge color="gray">stored only</Badge>}
                          {extractable && indexed && <Badge color="teal">{vector_count} passages</Badge>}
                          {extractable && !indexed && <Badge color="yellow">waits or empty</Badge>}
                        </Table.Td>
                        <Table.Td className="numbers">{formatSize(size)}</Table.Td>
                        <Table.Td>{formatAgo(created_at)}</Table.Td>
                        <Table.Td ta="right">
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
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Rows>
            )}
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
