import { Button, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Page } from '../../parts/page.tsx'
import { useAccess } from '../../session/access.tsx'
import { sectionsFor } from '../../shell/navigation.ts'

/** The first screen: where to go. */
export function Home() {
  const access = useAccess()
  const sections = sectionsFor(access).filter(({ to }) => to !== '/')
  return (
    <Page
      title={`Hello, ${access.user.name}`}
      about={access.workspace.name}
      actions={
        access.can_write && (
          <Button component={Link} to="/assistants" leftSection={<IconPlus size={16} />}>
            New assistant
          </Button>
        )
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {sections.map(({ label, to, icon: Icon, about }) => (
          <Card key={to} component={Link} to={to}>
            <Stack gap="xs">
              <Icon size={26} stroke={1.6} />
              <Title order={2} size="h4">
                {label}
              </Title>
              <Text c="dimmed" size="sm">
                {about}
              </Text>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
    </Page>
  )
}
