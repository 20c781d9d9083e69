import { Card, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One number that matters, with its name and a note. */
export function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Card padding="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={26} fw={650} className="numbers brand" lh={1.3}>
        {value}
      </Text>
      {note && (
        <Text size="xs" c="dimmed" className="numbers">
          {note}
        </Text>
      )}
    </Card>
  )
}
