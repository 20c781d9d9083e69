import { Alert, Button, Drawer, Group, JsonInput, List, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { fieldErrors, messageOf } from '../../api/failure.ts'
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
    return typeof value === 'object' && value !== null ? undefined : 'This must be a JSON object.'
  } catch (error) {
    return error instanceof Error ? error.message : 'This is not JSON.'
  }
}

/** An entry as JSON, checked as it is typed; what the server refuses is listed by field. */
export function EntryEditor({ kind, entry, example, onClose }: EntryEditorProps) {
  const mayAdminister = useMayAdminister()
  const [text, setText] = useState(() => JSON.stringify(entry ? withoutStamps(entry) : example, null, 2))
  const { create, replace, remove, label } = kinds[kind]
  const options = {
    onSuccess() {
      tellDone('The catalogue is saved.')
      queryClient.invalidateQueries(api.admin[kind].pathFilter())
      onClose()
    },
  }
  const save = useMutation({
    mutationFn: (body: object) => (entry ? replace(entry.id, body) : create(body)),
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
          readOnly={!mayAdminister}
          classNames={{ input: 'code' }}
          value={text}
          onChange={setText}
          error={problem}
        />
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
