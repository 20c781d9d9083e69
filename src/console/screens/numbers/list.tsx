import { Badge, Button, Card, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPhone, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { EmptyList } from '../../parts/empty.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { RowButton } from '../../parts/row-button.tsx'
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
  const list = useQuery(api.phoneNumbers.list.queryOptions({ page, search }, { placeholderData: keepPreviousData }))
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
        <Listing
          list={list}
          empty={
            <EmptyList
              icon={<IconPhone size={28} />}
              search={search}
              none={['No number yet', 'Get a number and say who answers when somebody calls it.']}
              unfound={['No number fits', 'Search for some of its digits.']}
              action={buy}
            />
          }
          columns={[
            {
              head: 'Number',
              cell: (number) => (
                <>
                  <RowButton onClick={() => setShown(number)}>{number.phone_number}</RowButton>
                  <Text size="sm" c="dimmed">
                    {number.name}
                  </Text>
                </>
              ),
            },
            { head: 'Calls go to', cell: (number) => <Target number={number} /> },
            {
              head: 'If nobody answers',
              numbers: true,
              cell: ({ fallback_destination: fallback }) => fallback?.number ?? fallback?.sipUri ?? '',
            },
            {
              head: 'Platform',
              cell: ({ voice_phone_number_id }) => (
                <Badge color={voice_phone_number_id ? 'teal' : 'yellow'}>
                  {voice_phone_number_id ? 'registered' : 'being registered'}
                </Badge>
              ),
            },
          ]}
          id={({ id }) => id}
          minWidth={620}
          opens
          onPage={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
        />
      </Card>
      {buying && <BuyNumber onBought={setShown} onClose={dialog.close} />}
      {shown && <NumberDrawer number={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}
