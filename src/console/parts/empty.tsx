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
    <Stack align="center" gap="sm" py={48} px="md" className="wrapping">
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

interface EmptyListProps extends Pick<EmptyProps, 'icon' | 'action'> {
  search: string | undefined
  /** Title and text where nothing is yet, and where nothing fits the search. */
  none: [title: string, text: string]
  unfound: [title: string, text: string]
}

/**
 * A list without rows: there are none yet, or the search finds none, for which there is nothing to do but search again.
 */
export function EmptyList({ icon, search, none, unfound, action }: EmptyListProps) {
  const [title, text] = search ? unfound : none
  return (
    <Empty icon={icon} title={title} action={!search && action}>
      {text}
    </Empty>
  )
}
