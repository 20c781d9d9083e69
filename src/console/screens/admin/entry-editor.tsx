import { Alert, Button, Drawer, Group, JsonInput, List, Stack, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queryClient } from '../../api/client.ts'
import { fieldErrors, messageOf } from '../../api/failure.ts'
import { changedFields, isObject } from '../../parts/changes.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatWord } from '../../parts/format.ts'
import { tellDone } from '../../parts/saved.ts'
import { useSharedSave } from '../../parts/shared-form.tsx'
import { useAskedClose } from '../../parts/unsaved.ts'
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

const bodyIn = (text: string): Body => JSON.parse(text)

/** A text of an entry that is written as JSON. */
function textIn(entry: string, name: string): string {
  const value = bodyIn(entry)[name]
  return typeof value === 'string' ? value : ''
}

const withText = (entry: string, name: string, value: string | null) => textOf({ ...bodyIn(entry), [name]: value })

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
 * An entry as JSON, checked as it is typed; what the server refuses is listed by field. A save keeps what others
 * changed since the entry was read, and asks once more where they changed the same.
 */
export function EntryEditor({ kind, entry, example, onClose }: EntryEditorProps) {
  const mayAdminister = useMayAdminister()
  const { get, create, replace, remove, required, texts, label } = kinds[kind]
  const onSaved = () => {
    tellDone('The catalogue is saved.')
    queryClient.invalidateQueries(api.admin[kind].pathFilter())
    onClose()
  }
  const stored = entry ? withoutStamps(entry) : { ...example }
  const [text, setText] = useState(() => textOf(stored))
  const {
    start,
    submit,
    isSaving,
    error: refused,
    question,
  } = useSharedSave<Body, Body>({
    stored,
    valuesOf: (body) => body,
    read: async () => (entry ? withoutStamps(await get(entry.id)) : stored),
    async write(body, now) {
      await (entry ? replace(entry.id, updateOf(now, body, required)) : create(body))
      return body
    },
    shown: () => bodyIn(text),
    show: (body) => setText(textOf(body)),
    onSaved,
  })
  const drop = useMutation({ mutationFn: (id: Entry['id']) => remove(id), onSuccess: onSaved })
  const problem = problemOf(text)
  const close = useAskedClose(mayAdminister && text !== textOf(start), onClose)
  const error = refused ?? drop.error
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={`${label}: ${entry ? 'change an entry' : 'new entry'}`}
    >
      <Stack>
        {problem === undefined &&
          texts.map((name) => (
            <Textarea
              key={name}
              label={formatWord(name)}
              autosize
              minRows={name === 'prompt' ? 6 : 1}
              maxRows={24}
              readOnly={!mayAdminister || isSaving}
              value={textIn(text, name)}
              onChange={({ currentTarget: { value } }) =>
                setText(withText(text, name, value === '' && !required.includes(name) ? null : value))
              }
            />
          ))}
        <JsonInput
          label="Entry"
          autosize
          minRows={14}
          maxRows={32}
          formatOnBlur
          readOnly={!mayAdminister || isSaving}
          classNames={{ input: 'code' }}
          value={text}
          onChange={setText}
          error={problem}
          validationError={problem}
        />
        {question}
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
            <Button disabled={problem !== undefined} loading={isSaving} onClick={() => submit()}>
              Save entry
            </Button>
          )}
        </Group>
      </Stack>
    </Drawer>
  )
}
