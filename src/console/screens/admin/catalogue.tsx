import { Button, Card, Group, SegmentedControl, Skeleton, Stack, Table } from '@mantine/core'
import { IconBooks, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useMayAdminister } from '../../session/access.tsx'
import { EntryEditor } from './entry-editor.tsx'
import { type Entry, type KindName, kinds } from './kinds.ts'

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
  const { data, error, refetch } = useQuery(list(page))
  return (
    <>
      {error && <Failed error={error} retry={refetch} />}
      {!data && !error && <Skeleton h={200} />}
      {data && (
        <Card padding={0}>
          {mayAdminister && (
            <Group p="md" justify="flex-end">
              <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
                New entry
              </Button>
            </Group>
          )}
          {data.pagination.total === 0 ? (
            <Empty icon={<IconBooks size={28} />} title={`${label}: none yet`}>
              {mayAdminister
                ? 'Make the first one: it begins with an example.'
                : 'Operators with a token that may write make them.'}
            </Empty>
          ) : (
            <Rows>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Id</Table.Th>
                    <Table.Th>Name</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.entries.map((entry) => (
                    <Table.Tr key={String(entry.id)} data-link>
                      <Table.Td className="numbers">{String(entry.id).slice(0, 8)}</Table.Td>
                      <Table.Td>
                        <RowButton onClick={() => setEdited(entry)}>
                          {String(entry.name ?? entry.label ?? entry.model)}
                        </RowButton>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Rows>
          )}
          <Pager pagination={data.pagination} onChange={setPage} />
        </Card>
      )}
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
