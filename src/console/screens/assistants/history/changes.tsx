import { Stack, Text } from '@mantine/core'
import { Difference } from '../../../parts/difference.tsx'
import { labelOf } from './labels.ts'
import { useNames } from './names.ts'

export interface Change {
  path: string
  from?: unknown
  to?: unknown
  /** What an id led to and leads to. */
  from_name?: string | string[]
  to_name?: string | string[]
  /** One sentence that says it. */
  summary?: string
}

const isMessage = (value: unknown): value is { role: string; content: string } =>
  typeof value === 'object' && value !== null && 'role' in value && 'content' in value

/** A value as text: messages as what they say, everything else that is no text as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage)) {
    return value.map(({ role, content }) => `${role}:\n${content}\n`).join('\n')
  }
  return JSON.stringify(value, null, 2)
}

const isEmpty = (value: unknown) => textOf(value) === '' || textOf(value) === '[]'

/** Whether a change is so large that only its path is told. */
const isUntold = ({ from, to }: Change) => from == null && to == null

/**
 * Changes with something to see: a list that was not there and is empty now is none, and a prompt that was said to the
 * builder is seen as what it makes of the messages.
 */
export const seen = <Seen extends Change>(changes: readonly Seen[]): Seen[] => {
  const inMessages = changes.some(({ path }) => path.startsWith('model.messages'))
  return changes.filter(
    (change) =>
      (isUntold(change) || !(isEmpty(change.from) && isEmpty(change.to))) &&
      !(inMessages && change.path === 'system_prompt'),
  )
}

/** Changes as people read them: lines of long texts, words of short ones, names instead of ids. */
export function Changes({ changes }: { changes: Change[] }) {
  const nameOf = useNames()
  return (
    <Stack gap="sm">
      {changes.map((change) => (
        <Stack key={change.path} gap={4}>
          <Text size="sm" fw={600} title={change.path}>
            {labelOf(change.path)}
          </Text>
          {change.summary && (
            <Text size="sm" c="dimmed">
              {change.summary}
            </Text>
          )}
          {!isUntold(change) && (
            <Difference
              from={textOf(change.from_name ?? nameOf(change.path, change.from))}
              to={textOf(change.to_name ?? nameOf(change.path, change.to))}
            />
          )}
        </Stack>
      ))}
    </Stack>
  )
}
