import { Alert, Button, Drawer, Group, JsonInput, List, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { fieldErrors, messageOf } from '../../api/failure.ts'
import { bothChanged, type Clash, changedFields, isObject, rebased } from '../../parts/changes.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone } from '../../parts/saved.ts'
import { useMayAdminister } from '../../session/access.tsx'
import { type Entry, type KindName, kinds } from './kinds.ts'

interface EntryEditorProps {
  kind: KindName
  /** Undefined: a new one. */
  entry: Entry | undefined
  example: object
  onClose: () => void
}

const withoutStamps = ({ id: _id, created_at: _created, updated_at: _updated, ...body }: Entry) => body

function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? undefined : 'This must be a JSON object.'
  } catch (error) {
    return error instanceof Error ? error.message : 'This is not JSON.'
  }
}

type Body = Record<string, unknown>

const textOf = (body: object) => JSON.stringify(body, null, 2)

/** What an update says: what it has to, and what is not as it was; null for what was taken away. */
function updateOf(before: Body, after: Body, required: readonly string[]): Body {
  const removed = Object.keys(before).filter((name) => after[name] === undefined)
  return {
    ...Object.fromEntries(required.map((name) => [name, after[name]])),
    ...changedFields(before, after),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  }
}

/**
 * An entry as JSON, checked as it is typed; what the server refuses is listed by field. A save keeps what others changed
 * since the entry was read, and asks once more where they changed the same.
 */
export function EntryEditor({ kind, entry, example, onClose }: EntryEditorProps) {
  const mayAdminister = useMayAdminister()
  const [known, setKnown] = useState<Body>(() => (entry ? withoutStamps(entry) : { ...example }))
  const [text, setText] = useState(() => textOf(known))
  const [theirs, setTheirs] = useState<Clash[]>([])
  const { get, create, replace, remove, required, label } = kinds[kind]
  const options = {
    onSuccess(saved: unknown) {
      if (saved === undefined) return
      tellDone('The catalogue is saved.')
      queryClient.invalidateQueries(api.admin[kind].pathFilter())
      onClose()
    },
  }
  const save = useMutation({
    async mutationFn(body: Body) {
      if (!entry) return create(body)
      const fresh = withoutStamps(await get(entry.id))
      const merged = rebased(known, body, fresh)
      const clashes = bothChanged(known, body, fresh)
      setTheirs(clashes)
      if (clashes.length === 0) return replace(entry.id, updateOf(fresh, merged, required))
      setKnown(fresh)
      setText(textOf(merged))
    },
    ...options,
  })
  const drop = useMutation({ mutationFn: (id: Entry['id']) => remove(id), ...options })
  const problem = problemOf(text)
  const error = save.error ?? drop.error
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={`${label}: ${entry ? 'change an entry' : 'new entry'}`}
    >
      <Stack>
        <JsonInput
          label="Entry"
          autosize
          minRows={14}
          maxRows={32}
          formatOnBlur
          readOnly={!mayAdminister || save.isPending}
          classNames={{ input: 'code' }}
          value={text}
          onChange={setText}
          error={problem}
        />
        {theirs.length > 0 && (
          <Alert color="yellow" title="Somebody else changed this meanwhile">
            Nothing is saved yet. Save again to put what stands above in the place of:
            <List size="sm">
              {theirs.map(([path, value]) => (
                <List.Item key={path} className="prose">
                  {path}: {value === undefined ? 'taken away' : JSON.stringify(value)}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        {error && (
          <Alert color="red" title={messageOf(error)}>
            <List size="sm">
              {Object.entries(fieldErrors(error)).map(([field, message]) => (
                <List.Item key={field}>
                  {field}: {message}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group justify="space-between">
          {entry && mayAdminister ? (
            <Confirm
              title="Delete this entry?"
              text="An entry in use cannot be deleted."
              action="Delete entry"
              onConfirm={() => drop.mutate(entry.id)}
            >
              {(ask) => (
                <Button variant="default" onClick={ask}>
                  Delete
                </Button>
              )}
            </Confirm>
          ) : (
            <span />
          )}
          {mayAdminister && (
            <Button
              disabled={problem !== undefined}
              loading={save.isPending}
              onClick={() => save.mutate(JSON.parse(text))}
            >
              Save entry
            </Button>
          )}
        </Group>
      </Stack>
    </Drawer>
  )
}
