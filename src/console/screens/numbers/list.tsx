import { Badge, Button, Card, Skeleton, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPhone, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { EmptyList } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchInput } from '../../parts/search-input.tsx'
import { useMayWrite } from '../../session/access.tsx'
import { BuyNumber } from './buy.tsx'
import { NumberDrawer } from './number.tsx'
import { Target } from './target.tsx'

const route = getRouteApi('/numbers')

/** A number as lists, and the response of a purchase, have it. */
export type PhoneNumber = Omit<
  Awaited<ReturnType<typeof client.phoneNumbers.list.query>>['data'][number],
  'sms_available'
>

/** The workspace's phone numbers and who answers each. */
export function NumberList() {
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMayWrite('phone_numbers')
  const [buying, dialog] = useDisclosure(false)
  const [shown, setShown] = useState<PhoneNumber>()
  const { data, error, refetch } = useQuery(
    api.phoneNumbers.list.queryOptions({ page, search }, { placeholderData: keepPreviousData }),
  )
  const buy = mayWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Get a number
    </Button>
  )
  return (
    <Page title="Numbers" about="Where calls come in, and who answers them." actions={buy}>
      <Card padding={0}>
        <SearchInput
          label="Search by number or name"
          value={search}
          onSearch={(text) => navigate({ search: { search: text }, replace: true })}
          m="md"
        />
        {error && <Failed error={error} retry={refetch} />}
        {!data && !error && <Skeleton h={180} />}
        {data?.pagination.total === 0 && (
          <EmptyList
            icon={<IconPhone size={28} />}
            search={search}
            none={['No number yet', 'Get a number and say who answers when somebody calls it.']}
            unfound={['No number fits', 'Search for some of its digits.']}
            action={buy}
          />
        )}
        {data && data.data.length > 0 && (
          <Rows>
            <Table miw={620}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Number</Table.Th>
                  <Table.Th>Calls go to</Table.Th>
                  <Table.Th>If nobody answers</Table.Th>
                  <Table.Th>Platform</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.data.map((number) => (
                  <Table.Tr key={number.id} data-link>
                    <Table.Td>
                      <RowButton onClick={() => setShown(number)}>{number.phone_number}</RowButton>
                      <Text size="sm" c="dimmed">
                        {number.name}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <Target number={number} />
                    </Table.Td>
                    <Table.Td>
                      {number.fallback_destination?.number ?? number.fallback_destination?.sipUri ?? ''}
                    </Table.Td>
                    <Table.Td>
                      <Badge color={number.voice_phone_number_id ? 'teal' : 'yellow'}>
                        {number.voice_phone_number_id ? 'registered' : 'being registered'}
                      </Badge>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Rows>
        )}
        {data && (
          <Pager
            pagination={data.pagination}
            onChange={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
          />
        )}
      </Card>
      {buying && <BuyNumber onBought={setShown} onClose={dialog.close} />}
      {shown && <NumberDrawer number={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}
