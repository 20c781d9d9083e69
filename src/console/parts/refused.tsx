import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { messageOf, statusOf } from '../api/failure.ts'
import { type Access, mayRead, mayReadAccount, useAccess } from '../session/access.tsx'

interface RefusedProps {
  error: unknown
  /** The agent that was asked. */
  agentId?: string
}

/**
 * Where the caller finds what could not pay: the text of a 402 ends with whose limit it is, if it is not the balance.
 */
function placeOf({ error, agentId }: RefusedProps, access: Access): [to: string, label: string] | undefined {
  if (statusOf(error) !== 402) return undefined
  const message = messageOf(error)
  if (message.endsWith('for this token.'))
    return mayReadAccount(access) ? ['/account?filter=tokens', 'Budgets of your tokens'] : undefined
  if (message.endsWith('for this agent.'))
    return agentId === undefined ? undefined : [`/agents/${agentId}?filter=budget`, 'Budget of the agent']
  return mayRead(access, 'ai_chat') ? ['/usage', 'Balance and ledger'] : undefined
}

/** What was refused, in the server's words; where it could not be paid, with the way to what limits it. */
export function Refused(props: RefusedProps) {
  const [to, label] = placeOf(props, useAccess()) ?? []
  return (
    <Alert color="red">
      <Text size="sm">{messageOf(props.error)}</Text>
      {to && (
        <Anchor component={Link} to={to} size="sm" underline="always">
          {label}
        </Anchor>
      )}
    </Alert>
  )
}
