import { Card, Skeleton, Table } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { formatTime } from '../../parts/format.ts'
import { Pager } from '../../parts/pager.tsx'
import { Rows } from '../../parts/rows.tsx'
import { tellFailed } from '../../parts/saved.ts'
import { useMayAdminister } from '../../session/access.tsx'
import { CreateNamed } from './create-named.tsx'

/** Every reseller, who has workspaces. */
export default function Resellers() {
  const mayAdminister = useMayAdminister()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(
    api.admin.resellers.list.queryOptions({ page }, { placeholderData: keepPreviousData }),
  )
  const create = useMutation(
    api.admin.resellers.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.admin.resellers.pathFilter()),
      onError: tellFailed,
    }),
  )
  if (error && !data) return <Failed error={error} retry={refetch} />
  return (
    <Card padding={0}>
      {mayAdminister && (
        <CreateNamed
          what="reseller"
          pending={create.isPending}
          onCreate={(name, done) => create.mutate({ name }, { onSuccess: done })}
        />
      )}
      {!data && <Skeleton h={160} />}
      {data && (
        <Rows>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Id</Table.Th>
                <Table.Th>Name</Table.Th>
                <Table.Th>Since</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map(({ id, name, created_at }) => (
                <Table.Tr key={id}>
                  <Table.Td className="numbers">{id}</Table.Td>
                  <Table.Td fw={500}>{name}</Table.Td>
                  <Table.Td>{formatTime(created_at)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Rows>
      )}
      {data && <Pager pagination={data.pagination} onChange={setPage} />}
    </Card>
  )
}
