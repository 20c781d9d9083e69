import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, client, queryClient } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'
import { type Difference, useMayReconcile } from './kinds.ts'

type Keep = 'ours' | 'theirs' | 'merge'

const reconcile = async ({ kind, resource }: Difference, keep: Keep): Promise<{ message: string }> => {
  const id = resource ?? ''
  if (kind === 'squad') return client.squads.reconcile.mutate({ id, keep })
  if (kind === 'phone_number') return client.phoneNumbers.reconcile.mutate({ id, keep })
  return client.assistants.reconcile.mutate({ assistantId: id, keep })
}

const texts = {
  ours: 'The voice platform is told again what the record says. What was changed there is lost.',
  theirs: 'The record becomes what the voice platform has. What it was stays in the history.',
  merge: 'What was changed there is taken over, unless it was changed here, too: then the record wins.',
}

const lostTexts = {
  ours: 'It is made again on the voice platform, as the record says.',
  theirs: 'The record is deleted, too.',
}

/** The ways to end a difference; nothing for who may not write. */
export function Reconcile({ difference, onDone }: { difference: Difference; onDone: () => void }) {
  const may = useMayReconcile(difference)
  const change = useMutation({
    mutationFn: (keep: Keep) => reconcile(difference, keep),
    onSuccess({ message }) {
      tellDone(message)
      for (const part of [api.drift, api.assistants, api.assistantVersions, api.squads, api.phoneNumbers]) {
        queryClient.invalidateQueries(part.pathFilter())
      }
      onDone()
    },
    onError: tellFailed,
  })
  if (!may) return null
  const isLost = difference.difference === 'missing'
  const choice = (keep: Keep, label: string, text: string, main = false) => (
    <Confirm title={`${label}?`} text={text} action={label} onConfirm={() => change.mutate(keep)}>
      {(ask) => (
        <Button
          variant={main ? 'filled' : 'default'}
          onClick={ask}
          loading={change.isPending && change.variables === keep}
          disabled={change.isPending}
        >
          {label}
        </Button>
      )}
    </Confirm>
  )
  return (
    <Stack gap="xs">
      <Group gap="sm">
        {isLost ? (
          <>
            {choice('ours', 'Make it again', lostTexts.ours, true)}
            {choice('theirs', 'Delete the record', lostTexts.theirs)}
          </>
        ) : (
          <>
            {choice('merge', 'Merge both', texts.merge, true)}
            {choice('ours', 'Keep ours', texts.ours)}
            {choice('theirs', 'Keep theirs', texts.theirs)}
          </>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {isLost ? 'The voice platform does not have it any more.' : 'Merge keeps both where they do not meet.'}
      </Text>
    </Stack>
  )
}
