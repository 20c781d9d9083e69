import { Button, Card, Modal, SimpleGrid, Skeleton, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconMessageChatbot, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { api, queryClient } from '../../api/client.ts'
import { DialogButtons } from '../../parts/dialog-buttons.tsx'
import { EmptyList } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { formatAgo } from '../../parts/format.ts'
import { NextPager } from '../../parts/next-pager.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchInput } from '../../parts/search-input.tsx'
import { useAskedClose } from '../../parts/unsaved.ts'
import { useMayWrite } from '../../session/access.tsx'

const route = getRouteApi('/agents')

/** The caller's agents, and those that others share. */
export function AgentList() {
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const [creating, dialog] = useDisclosure(false)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    api.agents.list.queryOptions({ page, per_page: 24, q: search }, { placeholderData: keepPreviousData }),
  )
  const mayWrite = useMayWrite('ai_chat')
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New agent
    </Button>
  )
  return (
    <Page title="Agents" about="They answer in writing, from your files and with your tools." actions={create}>
      <SearchInput
        label="Search by name or description"
        value={search}
        onSearch={(text) => navigate({ search: { search: text }, replace: true })}
        maw={420}
      />
      {error && <Failed error={error} retry={refetch} />}
      {!data && !error && <Skeleton h={160} />}
      {data?.data.length === 0 && page === 1 && !isPlaceholderData && (
        <Card>
          <EmptyList
            icon={<IconMessageChatbot size={28} />}
            search={search}
            none={['No agent yet', 'Give an agent instructions and files, and ask it something.']}
            unfound={['No agent fits', 'Try another word.']}
            action={create}
          />
        </Card>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {data?.data.map(({ id, name, description, last_activity_at }) => (
          <Card key={id} component={Link} to={`/agents/${id}`} className="tile">
            <Stack gap={6} h="100%" justify="space-between">
              <div>
                <Title order={2} size="h5">
                  {name}
                </Title>
                <Text size="sm" c="dimmed" lineClamp={3}>
                  {description ?? 'No description'}
                </Text>
              </div>
              <Text size="xs" c="dimmed">
                Active {formatAgo(last_activity_at)}
              </Text>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      {data && (
        <NextPager
          page={page}
          hasMore={data.has_more}
          isEmpty={data.data.length === 0}
          onChange={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
        />
      )}
      {creating && <CreateAgent onClose={dialog.close} />}
    </Page>
  )
}

function CreateAgent({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '', description: '', instructions: '' } })
  const create = useMutation(
    api.agents.create.mutationOptions({
      onSuccess({ data }) {
        queryClient.invalidateQueries(api.agents.pathFilter())
        navigate({ to: `/agents/${data.id}`, ignoreBlocker: true })
      },
      onError: (error) => showErrors(form, error),
    }),
  )
  const close = useAskedClose(form.isDirty(), onClose)
  return (
    <Modal opened onClose={close} title="New agent" size="lg">
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack>
          <TextInput
            label="Name"
            placeholder="Practice guide"
            data-autofocus
            withAsterisk
            {...form.getInputProps('name')}
          />
          <TextInput label="Description" {...form.getInputProps('description')} />
          <Textarea
            label="Instructions"
            description="Who it is and how it answers."
            autosize
            minRows={4}
            maxRows={14}
            {...form.getInputProps('instructions')}
          />
          <DialogButtons action="Create agent" isBusy={create.isPending || create.isSuccess} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
