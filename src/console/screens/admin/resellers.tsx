import { Card, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuildingStore } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, queryClient } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatTime } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { ListHead } from './list-head.tsx'

/** Every reseller, who has workspaces. */
export default function Resellers() {
  const [page, setPage] = useState(1)
  const [creating, dialog] = useDisclosure(false)
  const list = useQuery(api.admin.resellers.list.queryOptions({ page }, { placeholderData: keepPreviousData }))
  return (
    <Card padding={0}>
      <ListHead action="New reseller" onCreate={dialog.open} />
      <Listing
        list={list}
        empty={
          <Empty icon={<IconBuildingStore size={28} />} title="No reseller yet">
            A reseller has workspaces of its own.
          </Empty>
        }
        columns={[
          { head: 'Id', numbers: true, narrow: true, cell: ({ id }) => id },
          {
            head: 'Name',
            cell: ({ name }) => (
              <Text inherit fw={500}>
                {name}
              </Text>
            ),
          },
          { head: 'Since', numbers: true, cell: ({ created_at }) => formatTime(created_at) },
        ]}
        id={({ id }) => id}
        minWidth={360}
        onPage={setPage}
      />
      {creating && (
        <NameDialog
          title="New reseller"
          action="Create reseller"
          save={(name) => client.admin.resellers.create.mutate({ name })}
          onSaved={() => {
            queryClient.invalidateQueries(api.admin.resellers.pathFilter())
            dialog.close()
          }}
          onClose={dialog.close}
        />
      )}
    </Card>
  )
}
