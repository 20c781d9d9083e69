import { Badge } from '@mantine/core'

const states = {
  delivered: { color: 'teal', text: 'delivered' },
  pending: { color: 'yellow', text: 'pending' },
  dead: { color: 'red', text: 'given up' },
} as const

/** What became of a webhook, with the last response when there was one. */
export function DeliveryState({ status, response }: { status: keyof typeof states; response?: number | null }) {
  const { color, text } = states[status]
  return (
    <Badge color={color}>
      {text} {response}
    </Badge>
  )
}
