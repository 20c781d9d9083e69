import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Short facts side by side, each with its name; those without a value are left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <Box component="dl" m={0} className="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed" component="dt">
              {name}
            </Text>
            <Text size="sm" fw={600} component="dd" m={0} className="numbers">
              {value}
            </Text>
          </div>
        ))}
    </Box>
  )
}
