import { Card, Text } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatTime } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { tellFailed } from '../../parts/saved.ts'
import { useMayAdminister } from '../../session/access.tsx'
import { CreateNamed } from './create-named.tsx'

/** Every reseller, who has workspaces. */
export default function Resellers() {
  const mayAdminister = useMayAdminister()
  const [page, setPage] = useState(1)
  const list = useQuery(api.admin.resellers.list.queryOptions({ page }, { placeholderData: keepPreviousData }))
  const create = useMutation(
    api.admin.resellers.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.admin.resellers.pathFilter()),
      onError: tellFailed,
    }),
  )
  return (
    <Card padding={0}>
      {mayAdminister && (
        <CreateNamed
          what="reseller"
          pending={create.isPending}
          onCreate={(name, done) => create.mutate({ name }, { onSuccess: done })}
        />
      )}
      <Listing
        list={list}
        empty={
          <Empty icon={<IconBuildingStore size={28} />} title="No reseller yet">
            A reseller has workspaces of its own.
          </Empty>
        }
        columns={[
          { head: 'Id', numbers: true, cell: ({ id }) => id },
          {
            head: 'Name',
            cell: ({ name }) => (
              <Text inherit fw={500}>
                {name}
              </Text>
            ),
          },
          { head: 'Since', cell: ({ created_at }) => formatTime(created_at) },
        ]}
        id={({ id }) => id}
        minWidth={360}
        onPage={setPage}
      />
    </Card>
  )
}
