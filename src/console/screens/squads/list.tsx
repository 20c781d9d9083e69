import { Badge, Button, Card, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconSitemap } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { EmptyList } from '../../parts/empty.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { formatAgo } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchInput } from '../../parts/search-input.tsx'
import { useAskedClose } from '../../parts/unsaved.ts'
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
            { head: 'Changed', cell: ({ updated_at }) => formatAgo(updated_at) },
          ]}
          id={({ external_squad_id }) => external_squad_id}
          minWidth={520}
          opens
          onPage={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
        />
      </Card>
      {creating && <CreateSquad onClose={dialog.close} />}
    </Page>
  )
}

function CreateSquad({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '' } })
  const create = useMutation(
    api.squads.draft.mutationOptions({
      onSuccess({ data }) {
        queryClient.invalidateQueries(api.squads.pathFilter())
        navigate({ to: '/squads/$squadId', params: { squadId: data.external_squad_id }, ignoreBlocker: true })
      },
      onError: (error) => showErrors(form, error),
    }),
  )
  const close = useAskedClose(form.isDirty(), onClose)
  return (
    <Modal opened onClose={close} title="New squad">
      <form onSubmit={form.onSubmit(({ name }) => create.mutate({ name, members: [] }))}>
        <Stack>
          <TextInput label="Name" placeholder="Reception" data-autofocus withAsterisk {...form.getInputProps('name')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || create.isSuccess}>
              Create draft
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
