import { Badge, Button, Card, Group, Skeleton, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { CreateUser } from './create-user.tsx'
import { UserDrawer } from './user.tsx'

export type User = Awaited<ReturnType<typeof client.admin.users.list.query>>['data'][number]

/** Every user of the installation. */
export default function Users() {
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
        <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
          New user
        </Button>
      </Group>
      {!data && <Skeleton h={240} />}
      {data && (
        <Rows>
          <Table miw={640}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>User</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Workspace</Table.Th>
                <Table.Th>Features</Table.Th>
                <Table.Th>State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((user) => (
                <Table.Tr key={user.id} data-link>
                  <Table.Td>
                    <RowButton onClick={() => setShown(user)}>{user.name}</RowButton>
                    <Text size="sm" c="dimmed">
                      {user.email}
                    </Text>
                  </Table.Td>
                  <Table.Td>{user.role === 'admin' ? 'operator' : user.role === 'user' ? 'user' : 'reseller'}</Table.Td>
                  <Table.Td>
                    {user.workspace_id} · {user.workspace_role}
                  </Table.Td>
                  <Table.Td className="numbers">{user.features.length} of 4</Table.Td>
                  <Table.Td>
                    <Badge color={user.status === 'active' ? 'teal' : 'red'}>{user.status}</Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Rows>
      )}
      {data && <Pager pagination={data.pagination} onChange={setPage} />}
      {creating && <CreateUser onClose={dialog.close} />}
      {shown && <UserDrawer user={shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
