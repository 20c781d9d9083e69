import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Short facts side by side, each with its name; those without a value are left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: Math.min(4, facts.length) }} spacing="md" component="dl" m={0}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed" component="dt">
              {name}
            </Text>
            <Text fw={600} component="dd" m={0} className="numbers">
              {value}
            </Text>
          </div>
        ))}
    </SimpleGrid>
  )
}
