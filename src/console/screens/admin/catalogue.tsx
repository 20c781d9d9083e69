import { Card, SegmentedControl, Stack } from '@mantine/core'
import { IconBooks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Listing } from '../../parts/listing.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { useMayAdminister } from '../../session/access.tsx'
import { EntryEditor } from './entry-editor.tsx'
import { type Entry, type KindName, kinds } from './kinds.ts'
import { ListHead } from './list-head.tsx'

const labels = Object.entries(kinds).map(([value, { label }]) => ({ value, label }))

/** What assistants are built from, kind by kind. */
export default function Catalogue() {
  const [kind, setKind] = useState<KindName>('promptTemplates')
  return (
    <Stack>
      <div className="tabs-scroll">
        <SegmentedControl
          aria-label="Kind"
          data={labels}
          value={kind}
          onChange={(value) => setKind(value as KindName)}
        />
      </div>
      <Entries key={kind} kind={kind} />
    </Stack>
  )
}

/** The entries of one kind, of which one is opened in the editor; rows of another kind are never among them. */
function Entries({ kind }: { kind: KindName }) {
  const mayAdminister = useMayAdminister()
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<Entry | 'new'>()
  const { label, list, example } = kinds[kind]
  const entries = useQuery(list(page))
  return (
    <>
      <Card padding={0}>
        <ListHead action="New entry" onCreate={() => setEdited('new')} />
        <Listing
          list={entries}
          empty={
            <Empty icon={<IconBooks size={28} />} title={`${label}: none yet`}>
              {mayAdminister
                ? 'Make the first one: it begins with an example.'
                : 'Operators with a token that may write make them.'}
            </Empty>
          }
          columns={[
            { head: 'Id', numbers: true, narrow: true, cell: ({ id }) => String(id).slice(0, 8) },
            {
              head: 'Name',
              cell: (entry) => (
                <RowButton onClick={() => setEdited(entry)}>
                  {String(entry.name ?? entry.label ?? entry.model)}
                </RowButton>
              ),
            },
          ]}
          id={({ id }) => id}
          minWidth={320}
          opens
          onPage={setPage}
        />
      </Card>
      {edited && (
        <EntryEditor
          kind={kind}
          entry={edited === 'new' ? undefined : edited}
          example={example}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
