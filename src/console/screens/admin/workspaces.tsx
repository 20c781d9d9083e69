import { Badge, Button, Card, Group, Modal, Skeleton, Stack, Table, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type client, queryClient } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { formatCount, formatUsd } from '../../parts/format.ts'
import { Pager } from '../../parts/pager.tsx'
import { Rows } from '../../parts/rows.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { SearchInput } from '../../parts/search-input.tsx'
import { useAskedClose } from '../../parts/unsaved.ts'
import { useMayAdminister } from '../../session/access.tsx'
import { Billing } from './billing.tsx'
import { CreateNamed } from './create-named.tsx'

export type Workspace = Awaited<ReturnType<typeof client.admin.workspaces.list.query>>['data'][number]

const route = getRouteApi('/admin')

/** Every workspace, what it is billed in, and its credits. */
export default function Workspaces() {
  const mayAdminister = useMayAdminister()
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const [crediting, setCrediting] = useState<Workspace>()
  const { data, error, refetch } = useQuery(
    api.admin.workspaces.list.queryOptions({ page, search }, { placeholderData: keepPreviousData }),
  )
  const refresh = () => queryClient.invalidateQueries(api.admin.workspaces.pathFilter())
  const create = useMutation(api.admin.workspaces.create.mutationOptions({ onSuccess: refresh, onError: tellFailed }))
  if (error && !data) return <Failed error={error} retry={refetch} />
  return (
    <Card padding={0}>
      {mayAdminister && (
        <CreateNamed
          what="workspace"
          pending={create.isPending}
          onCreate={(name, done) => create.mutate({ name }, { onSuccess: done })}
        />
      )}
      <SearchInput
        label="Search by name"
        value={search}
        onSearch={(text) => navigate({ search: { filter: 'workspaces', search: text }, replace: true })}
        m="md"
      />
      {!data && <Skeleton h={240} />}
      {data && (
        <Rows>
          <Table miw={640}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Id</Table.Th>
                <Table.Th>Name</Table.Th>
                <Table.Th>Payer</Table.Th>
                <Table.Th>Billed in</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((workspace) => (
                <Table.Tr key={workspace.id}>
                  <Table.Td className="numbers">{workspace.id}</Table.Td>
                  <Table.Td fw={500}>{workspace.name}</Table.Td>
                  <Table.Td>{workspace.owner_id ?? <Badge color="yellow">nobody</Badge>}</Table.Td>
                  <Table.Td>
                    <Billing workspace={workspace} />
                  </Table.Td>
                  <Table.Td ta="right">
                    {mayAdminister && workspace.billing !== 'none' && (
                      <Button size="xs" variant="default" onClick={() => setCrediting(workspace)}>
                        Credit
                      </Button>
                    )}
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
      {crediting && <Credit workspace={crediting} onClose={() => setCrediting(undefined)} />}
    </Card>
  )
}

function Credit({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const field = workspace.billing === 'usd' ? 'amount_usd' : 'tokens'
  const form = useForm({
    initialValues: { payment_id: '', amount_usd: '', tokens: '' },
    validate: {
      amount_usd: (text) =>
        /^(\d+(\.\d{1,6})?)?$/.test(text) ? null : 'Write it with digits and at most one point, such as 1250.50.',
      tokens: (text) => (/^\d*$/.test(text) ? null : 'Write it with digits alone, such as 125000.'),
    },
  })
  const credit = useMutation(
    api.admin.credits.create.mutationOptions({
      onSuccess({ data }) {
        const { balance_usd, balance_tokens } = data
        tellDone(
          `The balance is ${balance_usd !== null ? formatUsd(balance_usd) : `${formatCount(balance_tokens ?? 0)} tokens`}.`,
        )
        onClose()
      },
      onError: (error) => showErrors(form, error),
    }),
  )
  const close = useAskedClose(form.isDirty(), onClose)
  return (
    <Modal opened onClose={close} title={`Credit ${workspace.name}`}>
      <form
        onSubmit={form.onSubmit((values) =>
          credit.mutate({
            id: workspace.id,
            payment_id: values.payment_id,
            [field]: values[field] === '' ? null : Number(values[field]),
          }),
        )}
        noValidate
      >
        <Stack>
          <TextInput
            label="Payment"
            description="What the payment is known by: it is credited once."
            data-autofocus
            {...form.getInputProps('payment_id')}
          />
          <TextInput
            label={field === 'tokens' ? 'Tokens' : 'US dollars'}
            inputMode={field === 'tokens' ? 'numeric' : 'decimal'}
            {...form.getInputProps(field)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={credit.isPending}>
              Credit
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
