import { Badge, Button, Card, Group, Select, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconPlus, IconRobot, IconStack2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { CopyId } from '../../parts/copy.tsx'
import { EmptyList } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { formatAgo } from '../../parts/format.ts'
import type { ListSearch } from '../../parts/list-search.ts'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchInput } from '../../parts/search-input.tsx'
import { useMayWrite } from '../../session/access.tsx'
import { CreateAssistant } from './create.tsx'

const route = getRouteApi('/assistants')

const sorts = [
  { value: 'created_at desc', label: 'Newest first' },
  { value: 'created_at asc', label: 'Oldest first' },
  { value: 'name asc', label: 'Name, A to Z' },
  { value: 'name desc', label: 'Name, Z to A' },
]

/** All assistants of the caller's account. */
export function AssistantList() {
  const { page = 1, search, sort = 'created_at desc', filter } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMayWrite('assistants')
  const [by, order] = sort.split(' ')
  const { data, error, refetch } = useQuery(
    api.assistants.list.queryOptions(
      { page, search, sort_by: by, sort_order: order === 'desc' ? 'desc' : 'asc' },
      { placeholderData: keepPreviousData },
    ),
  )
  const change = (next: ListSearch, ignoreBlocker = false) =>
    navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace: true, ignoreBlocker })
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => change({ filter: 'new' })}>
      New assistant
    </Button>
  )
  return (
    <Page title="Assistants" about="They answer the phone, and visitors of your websites." actions={create}>
      <Card padding={0}>
        <Group p="md" gap="sm">
          <SearchInput
            label="Search by name"
            value={search}
            onSearch={(text) => change({ search: text })}
            flex="1 1 180px"
            miw={0}
          />
          <Select
            aria-label="Sort"
            data={sorts}
            value={sort}
            allowDeselect={false}
            onChange={(value) => change({ sort: value ?? undefined })}
            w={180}
            maw="100%"
          />
        </Group>
        {error && <Failed error={error} retry={refetch} />}
        {!data && !error && <Waiting />}
        {data && data.data.length > 0 && <AssistantRows rows={data.data} />}
        {data?.pagination.total === 0 && (
          <EmptyList
            icon={<IconRobot size={28} />}
            search={search}
            none={[
              'No assistant yet',
              'An assistant has a greeting, a prompt and a voice. Create one, then talk to it here: no phone is needed.',
            ]}
            unfound={['No assistant has this name', 'Try a shorter part of the name.']}
            action={
              create && (
                <Group gap="sm" justify="center">
                  <Button component={Link} to="/build" variant="default" leftSection={<IconStack2 size={16} />}>
                    Build from a template
                  </Button>
                  {create}
                </Group>
              )
            }
          />
        )}
        {data && <Pager pagination={data.pagination} onChange={(next) => change({ page: next })} />}
      </Card>
      {mayWrite && filter === 'new' && <CreateAssistant onClose={() => change({ filter: undefined }, true)} />}
    </Page>
  )
}

function Waiting() {
  return (
    <Stack p="md" gap="sm">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} h={38} />
      ))}
    </Stack>
  )
}

interface Row {
  assistant_id: string
  name: string
  type: string
  phone_number?: string | null
  first_message: string
  updated_at?: string
}

function AssistantRows({ rows }: { rows: Row[] }) {
  return (
    <Rows>
      <Table miw={780}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Number</Table.Th>
            <Table.Th>Changed</Table.Th>
            <Table.Th>Id</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ assistant_id, name, type, phone_number, first_message, updated_at }) => (
            <Table.Tr key={assistant_id} data-link>
              <Table.Td maw={320}>
                <Link to="/assistants/$assistantId" params={{ assistantId: assistant_id }} className="row-link">
                  {name}
                </Link>
                <Text size="sm" c="dimmed" truncate>
                  {first_message || 'Waits for the caller to speak'}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badge color={type === 'production' ? 'teal' : 'gray'}>{type}</Badge>
              </Table.Td>
              <Table.Td className="numbers">{phone_number ?? <span className="dimmed">None</span>}</Table.Td>
              <Table.Td>{updated_at && formatAgo(updated_at)}</Table.Td>
              <Table.Td>
                <CopyId value={assistant_id} what={`the id of ${name}`} short />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Rows>
  )
}
