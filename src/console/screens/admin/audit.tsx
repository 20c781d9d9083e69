import { Badge, Card, Group, Modal, NumberInput, Select, TextInput } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatTime } from '../../parts/format.ts'
import { Listing } from '../../parts/listing.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Changes } from '../assistants/history/changes.tsx'
import { subjects } from './subjects.ts'

type Page = Awaited<ReturnType<typeof client.admin.audit.list.query>>
type Entry = Page['data'][number]

/** Who changed which account, token, credit or entry of the catalogue, and when. */
export default function Audit() {
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState<string | null>(null)
  const [actor, setActor] = useState<number | string>('')
  const [from, setFrom] = useState('')
  const [shown, setShown] = useState<Entry>()
  /** Another filter has other pages. */
  const filterBy =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      setPage(1)
    }
  const list = useQuery(
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
  return (
    <Card padding={0}>
      <Group p="md" align="flex-end">
        <Select
          label="Subject"
          placeholder="All"
          clearable
          data={subjects}
          searchable
          value={kind}
          onChange={filterBy(setKind)}
          w={200}
          maw="100%"
        />
        <NumberInput
          label="Actor's id"
          min={1}
          hideControls
          value={actor}
          onChange={filterBy(setActor)}
          w={120}
          maw="100%"
        />
        <TextInput
          label="From"
          type="date"
          value={from}
          onChange={(event) => filterBy(setFrom)(event.currentTarget.value)}
          w={160}
          maw="100%"
        />
      </Group>
      <Listing
        list={list}
        empty={
          <Empty icon={<IconListSearch size={28} />} title="No change fits">
            Choose another subject, another person or an earlier day.
          </Empty>
        }
        columns={[
          {
            head: 'When',
            numbers: true,
            cell: (entry) => <RowButton onClick={() => setShown(entry)}>{formatTime(entry.created_at)}</RowButton>,
          },
          { head: 'Who', cell: ({ actor }) => actor.name },
          { head: 'Did', cell: ({ action }) => <Badge color="gray">{action}</Badge> },
          { head: 'To', numbers: true, cell: ({ subject }) => `${subject.kind} ${subject.id}` },
        ]}
        id={({ id }) => id}
        minWidth={760}
        opens
        onPage={setPage}
      />
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
