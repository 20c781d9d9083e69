import { Badge, Button, Card, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconBuilding } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, client, queryClient } from '../../api/client.ts'
import { DialogButtons } from '../../parts/dialog-buttons.tsx'
import { EmptyList } from '../../parts/empty.tsx'
import { showErrors } from '../../parts/form-errors.ts'
import { formatCount, formatUsd } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { tellDone } from '../../parts/saved.ts'
import { useAskedClose } from '../../parts/unsaved.ts'
import { useMayAdminister } from '../../session/access.tsx'
import { Billing } from './billing.tsx'
import { ListHead } from './list-head.tsx'

export type Workspace = Awaited<ReturnType<typeof client.admin.workspaces.list.query>>['data'][number]

const route = getRouteApi('/admin')

/** Every workspace, what it is billed in, and its credits. */
export default function Workspaces() {
  const mayAdminister = useMayAdminister()
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const [creating, dialog] = useDisclosure(false)
  const [crediting, setCrediting] = useState<Workspace>()
  const list = useQuery(api.admin.workspaces.list.queryOptions({ page, search }, { placeholderData: keepPreviousData }))
  return (
    <Card padding={0}>
      <ListHead
        action="New workspace"
        onCreate={dialog.open}
        search={{
          label: 'Search by name',
          value: search,
          onSearch: (text) => navigate({ search: { filter: 'workspaces', search: text }, replace: true }),
        }}
      />
      <Listing
        list={list}
        empty={
          <EmptyList
            icon={<IconBuilding size={28} />}
            search={search}
            none={['No workspace yet', 'Every new user gets one, unless it joins another.']}
            unfound={['No workspace has this name', 'Try a shorter part of the name.']}
          />
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
          { head: 'Payer', cell: ({ owner_id }) => owner_id ?? <Badge color="yellow">nobody</Badge> },
          { head: 'Billed in', cell: (workspace) => <Billing workspace={workspace} /> },
          {
            label: 'Actions',
            align: 'right',
            cell: (workspace) =>
              mayAdminister &&
              workspace.billing !== 'none' && (
                <Button size="xs" variant="default" onClick={() => setCrediting(workspace)}>
                  Credit
                </Button>
              ),
          },
        ]}
        id={({ id }) => id}
        minWidth={640}
        onPage={(next, replace) => navigate({ search: (old) => ({ ...old, page: next }), replace })}
      />
      {creating && (
        <NameDialog
          title="New workspace"
          action="Create workspace"
          save={(name) => client.admin.workspaces.create.mutate({ name })}
          onSaved={() => {
            queryClient.invalidateQueries(api.admin.workspaces.pathFilter())
            dialog.close()
          }}
          onClose={dialog.close}
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
          <DialogButtons action="Credit" isBusy={credit.isPending} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
