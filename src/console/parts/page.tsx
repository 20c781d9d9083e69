import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageProps {
  title: string
  /** A line below the title. */
  about?: ReactNode
  /** What can be done on the whole page. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen: its title, which is also the tab's, what can be done, and its content. */
export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Switchboard`
  }, [title])
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} miw={0} flex="1 1 230px">
          <Title order={1} size="h2" className="brand">
            {title}
          </Title>
          {about && (
            <Text c="dimmed" component="div" className="about">
              {about}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
