import { Badge, Button, Card } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconSitemap } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, client, queryClient } from '../../api/client.ts'
import { EmptyList } from '../../parts/empty.tsx'
import { formatAgo } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchInput } from '../../parts/search-input.tsx'
import { useMayWrite } from '../../session/access.tsx'

const route = getRouteApi('/squads')

/** Groups of assistants that hand calls over to each other. */
export function SquadList() {
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMayWrite('squads')
  const [creating, dialog] = useDisclosure(false)
  const list = useQuery(api.squads.list.queryOptions({ page, search }, { placeholderData: keepPreviousData }))
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New squad
    </Button>
  )
  return (
    <Page title="Squads" about="Assistants that hand a call over to each other." actions={create}>
      <Card padding={0}>
        <SearchInput
          label="Search by name"
          value={search}
          onSearch={(text) => navigate({ search: { search: text }, replace: true })}
          m="md"
        />
        <Listing
          list={list}
          empty={
            <EmptyList
              icon={<IconSitemap size={28} />}
              search={search}
              none={[
                'No squad yet',
                'A squad begins with one assistant, which hands over to the others. Draw it, then publish it.',
              ]}
              unfound={['No squad has this name', 'Try a shorter part of the name.']}
              action={create}
            />
          }
          columns={[
            {
              head: 'Name',
              cell: ({ external_squad_id, name }) => (
                <Link to="/squads/$squadId" params={{ squadId: external_squad_id }} className="row-link">
                  {name}
                </Link>
              ),
            },
            {
              head: 'State',
              cell: ({ status }) => <Badge color={status === 'published' ? 'teal' : 'gray'}>{status}</Badge>,
            },
            { head: 'Members', numbers: true, cell: ({ memberCount }) => memberCount },
            { head: 'Answers first', cell: ({ entryAssistantName }) => entryAssistantName },
            { head: 'Changed', numbers: true, cell: ({ updated_at }) => formatAgo(updated_at) },
          ]}
          id={({ external_squad_id }) => external_squad_id}
          minWidth={520}
          opens
          onPage={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
        />
      </Card>
      {creating && (
        <NameDialog
          title="New squad"
          placeholder="Reception"
          action="Create draft"
          save={(name) => client.squads.draft.mutate({ name, members: [] })}
          onSaved={({ data }) => {
            queryClient.invalidateQueries(api.squads.pathFilter())
            navigate({ to: '/squads/$squadId', params: { squadId: data.external_squad_id }, ignoreBlocker: true })
          }}
          onClose={dialog.close}
        />
      )}
    </Page>
  )
}
