import { Badge, Card, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUser } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { EmptyList } from '../../parts/empty.tsx'
import { Listing } from '../../parts/listing.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { CreateUser } from './create-user.tsx'
import { ListHead } from './list-head.tsx'
import { UserDrawer } from './user.tsx'

const route = getRouteApi('/admin')

export type User = Awaited<ReturnType<typeof client.admin.users.list.query>>['data'][number]

/** Every user of the installation. */
export default function Users() {
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const [shown, setShown] = useState<User>()
  const [creating, dialog] = useDisclosure(false)
  const list = useQuery(api.admin.users.list.queryOptions({ page, search }, { placeholderData: keepPreviousData }))
  return (
    <Card padding={0}>
      <ListHead
        action="New user"
        onCreate={dialog.open}
        search={{
          label: 'Search by name or e-mail address',
          value: search,
          onSearch: (text) => navigate({ search: { filter: 'users', search: text }, replace: true }),
        }}
      />
      <Listing
        list={list}
        empty={
          <EmptyList
            icon={<IconUser size={28} />}
            search={search}
            none={['No user yet', 'Make one for everybody who signs in.']}
            unfound={['No user fits', 'Try a part of the name or of the e-mail address.']}
          />
        }
        columns={[
          {
            head: 'User',
            cell: (user) => (
              <>
                <RowButton onClick={() => setShown(user)}>{user.name}</RowButton>
                <Text size="sm" c="dimmed">
                  {user.email}
                </Text>
              </>
            ),
          },
          {
            head: 'Role',
            cell: ({ role }) => (role === 'admin' ? 'operator' : role === 'user' ? 'user' : 'reseller'),
          },
          { head: 'Workspace', cell: (user) => `${user.workspace_id} · ${user.workspace_role}` },
          { head: 'Features', numbers: true, cell: ({ features }) => `${features.length} of 4` },
          {
            head: 'State',
            cell: ({ status }) => <Badge color={status === 'active' ? 'teal' : 'red'}>{status}</Badge>,
          },
        ]}
        id={({ id }) => id}
        minWidth={640}
        opens
        onPage={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
      />
      {creating && <CreateUser onClose={dialog.close} />}
      {shown && <UserDrawer user={shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
