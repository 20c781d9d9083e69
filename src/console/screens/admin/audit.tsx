import { Badge, Card, Group, Modal, NumberInput, Select, Skeleton, Table, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { formatTime } from '../../parts/format.ts'
import { Pager } from '../../parts/pager.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Changes } from '../assistants/history/changes.tsx'

type Page = Awaited<ReturnType<typeof client.admin.audit.list.query>>
type Entry = Page['data'][number]

/** Who changed which account, token, credit or entry of the catalogue, and when. */
export default function Audit() {
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState<string | null>(null)
  const [actor, setActor] = useState<number | string>('')
  const [from, setFrom] = useState('')
  const [shown, setShown] = useState<Entry>()
  const { data, error, refetch } = useQuery(
    api.admin.audit.list.queryOptions(
      {
        page,
        subject_kind: kind ?? undefined,
        actor_id: actor === '' ? undefined : Number(actor),
        from: from || undefined,
      },
      { placeholderData: keepPreviousData },
    ),
  )
  if (error) return <Failed error={error} retry={refetch} />
  return (
    <Card padding={0}>
      <Group p="md" align="flex-end">
        <Select
          label="Subject"
          placeholder="All"
          clearable
          data={['user', 'token', 'workspace', 'reseller']}
          value={kind}
          onChange={setKind}
          w={160}
        />
        <NumberInput label="Actor's id" min={1} hideControls value={actor} onChange={setActor} w={120} />
        <TextInput
          label="From"
          type="date"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          w={160}
        />
      </Group>
      {!data && <Skeleton h={240} />}
      {data && (
        <Rows>
          <Table miw={560}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>Who</Table.Th>
                <Table.Th>Did</Table.Th>
                <Table.Th>To</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((entry) => (
                <Table.Tr key={entry.id} data-link>
                  <Table.Td>
                    <RowButton onClick={() => setShown(entry)}>{formatTime(entry.created_at)}</RowButton>
                  </Table.Td>
                  <Table.Td>{entry.actor.name}</Table.Td>
                  <Table.Td>
                    <Badge color="gray">{entry.action}</Badge>
                  </Table.Td>
                  <Table.Td>
                    {entry.subject.kind} {entry.subject.id}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Rows>
      )}
      {data && <Pager pagination={data.pagination} onChange={setPage} />}
      {shown && (
        <Modal
          opened
          onClose={() => setShown(undefined)}
          size="lg"
          title={`${shown.subject.kind} ${shown.subject.id}, ${shown.action} by ${shown.actor.name}`}
        >
          <Changes changes={shown.changes} />
        </Modal>
      )}
    </Card>
  )
}
