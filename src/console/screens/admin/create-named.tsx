import { Button, Group, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'

interface CreateNamedProps {
  what: string
  pending: boolean
  /** `done` is called once it is made. */
  onCreate: (name: string, done: () => void) => void
}

/** A line that makes something that has a name only. */
export function CreateNamed({ what, pending, onCreate }: CreateNamedProps) {
  const [name, setName] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') return
        // What was typed since is the next one's.
        onCreate(name.trim(), () => setName((now) => (now === name ? '' : now)))
      }}
    >
      <Group p="md">
        <TextInput
          aria-label={`Name of the new ${what}`}
          placeholder={`Name of the new ${what}`}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          flex={1}
        />
        <Button type="submit" leftSection={<IconPlus size={16} />} loading={pending} disabled={name.trim() === ''}>
          New {what}
        </Button>
      </Group>
    </form>
  )
}
