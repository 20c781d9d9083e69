import { Alert, Badge, Button, Card, Checkbox, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client } from '../../../api/client.ts'
import { messageOf } from '../../../api/failure.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { formatCount, formatNumberOf, formatWord } from '../../../parts/format.ts'
import { Listing } from '../../../parts/listing.tsx'
import { useAccess, useMayAdminister } from '../../../session/access.tsx'
import { ImportProgress } from './progress.tsx'

type Candidate = Awaited<ReturnType<typeof client.imports.candidates.query>>['data'][number]

const kinds = ['assistant', 'squad', 'phone_number', 'tool'] as const
const kindChoices = kinds.map((value) => ({ value, label: formatWord(value) }))
const isKind = (value: string | null): value is (typeof kinds)[number] => kinds.some((kind) => kind === value)

/** What lives on the voice platform without a record, to look at, to try and to import. */
export default function Imports() {
  const mayAdminister = useMayAdminister()
  const { workspace } = useAccess()
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [owner, setOwner] = useState<number | string>(workspace.id)
  const list = useQuery(
    api.imports.candidates.queryOptions(
      { page, kind: isKind(kind) ? kind : undefined },
      { placeholderData: keepPreviousData },
    ),
  )
  const start = useMutation(
    api.imports.create.mutationOptions({
      onSuccess({ data: { id } }) {
        if (id !== null) setChosen(new Set())
      },
    }),
  )
  const toggle = (id: string, isOn: boolean) =>
    setChosen((old) => new Set(isOn ? [...old, id] : [...old].filter((one) => one !== id)))
  const what = chosen.size > 0 ? { ids: [...chosen] } : { all: true }
  const run = (dry_run: boolean) =>
    start.mutate({ ...what, workspace_id: owner === '' ? undefined : Number(owner), dry_run })
  const shown = start.data?.data
  const amount = chosen.size > 0 ? formatCount(chosen.size) : 'everything'
  return (
    <Stack>
      {start.error && <Alert color="red">{messageOf(start.error)}</Alert>}
      {shown && <ImportProgress started={shown} onFinished={list.refetch} />}
      <Card padding={0}>
        <Group p="md" align="flex-end" justify="space-between">
          <Group align="flex-end" maw="100%">
            <Select
              label="Kind"
              placeholder="All"
              clearable
              data={kindChoices}
              value={kind}
              onChange={(value) => {
                setKind(value)
                setPage(1)
              }}
              w={160}
              maw="100%"
            />
            {mayAdminister && (
              <NumberInput
                label="Into the workspace with the id"
                min={1}
                hideControls
                value={owner}
                onChange={setOwner}
                w={210}
                maw="100%"
              />
            )}
          </Group>
          {mayAdminister && list.data && list.data.data.length > 0 && (
            <Group maw="100%" className="wrapping">
              <Button variant="default" onClick={() => run(true)} loading={start.isPending}>
                Try with {amount}
              </Button>
              <Confirm
                title="Import everything?"
                text="All that can be imported gets a record in that workspace, whatever kind the list shows."
                action="Import everything"
                onConfirm={() => run(false)}
                harmless
              >
                {(ask) => (
                  <Button
                    leftSection={<IconDownload size={16} />}
                    onClick={() => (chosen.size > 0 ? run(false) : ask())}
                    loading={start.isPending}
                  >
                    Import {amount}
                  </Button>
                )}
              </Confirm>
            </Group>
          )}
        </Group>
        <Listing
          list={list}
          empty={
            <Empty icon={<IconDownload size={28} />} title="Everything there has a record">
              Assistants, squads, numbers and tools that somebody made on the voice platform itself are listed here.
            </Empty>
          }
          columns={[
            ...(mayAdminister
              ? [
                  {
                    label: 'Chosen',
                    narrow: true,
                    cell: ({ voice_id, name }: Candidate) => (
                      <Checkbox
                        aria-label={`Choose ${name}`}
                        checked={chosen.has(voice_id)}
                        onChange={(event) => toggle(voice_id, event.currentTarget.checked)}
                      />
                    ),
                  },
                ]
              : []),
            {
              head: 'Name',
              maxWidth: 260,
              cell: ({ name, voice_id }) => (
                <>
                  <Text size="sm" fw={500} truncate>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed" className="code" truncate>
                    {voice_id}
                  </Text>
                </>
              ),
            },
            { head: 'Kind', cell: ({ kind: of }) => formatWord(of) },
            {
              head: 'Can it be imported?',
              maxWidth: 320,
              cell: ({ importable, reason, kept }) => (
                <>
                  <Badge color={importable ? 'teal' : 'yellow'}>{importable ? 'yes' : 'not as it is'}</Badge>
                  <Text size="xs" c="dimmed">
                    {reason ?? (kept.length > 0 ? `${formatNumberOf(kept.length, 'value')} kept as they are` : '')}
                  </Text>
                </>
              ),
            },
          ]}
          id={({ voice_id }) => voice_id}
          minWidth={640}
          onPage={setPage}
        />
      </Card>
    </Stack>
  )
}
