import { Badge, Button, Card, Group, Select, Text } from '@mantine/core'
import { IconPlus, IconRobot, IconStack2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { CopyId } from '../../parts/copy.tsx'
import { EmptyList } from '../../parts/empty.tsx'
import { formatAgo } from '../../parts/format.ts'
import type { ListSearch } from '../../parts/list-search.ts'
import { Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
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
  const list = useQuery(
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
        <Listing
          list={list}
          empty={
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
          }
          columns={[
            {
              head: 'Name',
              maxWidth: 320,
              cell: ({ assistant_id, name, first_message }) => (
                <>
                  <Link to="/assistants/$assistantId" params={{ assistantId: assistant_id }} className="row-link">
                    {name}
                  </Link>
                  <Text size="sm" c="dimmed" truncate>
                    {first_message || 'Waits for the caller to speak'}
                  </Text>
                </>
              ),
            },
            { head: 'Type', cell: ({ type }) => <Badge color={type === 'production' ? 'teal' : 'gray'}>{type}</Badge> },
            {
              head: 'Number',
              numbers: true,
              cell: ({ phone_number }) => phone_number ?? <span className="dimmed">None</span>,
            },
            { head: 'Changed', numbers: true, cell: ({ updated_at }) => updated_at && formatAgo(updated_at) },
            {
              head: 'Id',
              cell: ({ assistant_id, name }) => <CopyId value={assistant_id} what={`the id of ${name}`} short />,
            },
          ]}
          id={({ assistant_id }) => assistant_id}
          minWidth={780}
          opens
          onPage={(next) => change({ page: next })}
        />
      </Card>
      {mayWrite && filter === 'new' && <CreateAssistant onClose={() => change({ filter: undefined }, true)} />}
    </Page>
  )
}
