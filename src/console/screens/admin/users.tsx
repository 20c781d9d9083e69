import { Badge, Button, Card, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { Listing } from '../../parts/listing.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { useMayAdminister } from '../../session/access.tsx'
import { CreateUser } from './create-user.tsx'
import { UserDrawer } from './user.tsx'

export type User = Awaited<ReturnType<typeof client.admin.users.list.query>>['data'][number]

/** Every user of the installation. */
export default function Users() {
  const mayAdminister = useMayAdminister()
  const [page, setPage] = useState(1)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const [shown, setShown] = useState<User>()
  const [creating, dialog] = useDisclosure(false)
  const { data, error, refetch } = useQuery(
    api.admin.users.list.queryOptions({ page, search: search || undefined }, { placeholderData: keepPreviousData }),
  )
  if (error) return <Failed error={error} retry={refetch} />
  return (
    <Card padding={0}>
      <Group p="md">
        <TextInput
          aria-label="Search by name or e-mail address"
          placeholder="Search by name or e-mail address"
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setPage(1)
          }}
          flex={1}
        />
        {mayAdminister && (
          <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
            New user
          </Button>
        )}
      </Group>
      {!data && <Skeleton h={240} />}
      {data && (
        <Listing
          rows={data.data}
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
          pagination={data.pagination}
          onPage={setPage}
        />
      )}
      {creating && <CreateUser onClose={dialog.close} />}
      {shown && <UserDrawer user={shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
