import { Stack, Text, ThemeIcon } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyProps {
  icon: ReactNode
  title: string
  /** What to do next. */
  children: ReactNode
  action?: ReactNode
}

/** Where nothing is yet: what would be here, and how it comes here. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md">
      <ThemeIcon variant="light" size={56} radius="xl">
        {icon}
      </ThemeIcon>
      <Text fw={600} size="lg" ta="center">
        {title}
      </Text>
      <Text c="dimmed" ta="center" maw={460} component="div">
        {children}
      </Text>
      {action}
    </Stack>
  )
}
