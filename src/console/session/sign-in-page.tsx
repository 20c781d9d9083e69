import { Anchor, Card, Center, Code, Stack, Text, Title } from '@mantine/core'
import { serverUrl } from '../api/address.ts'
import { Mark } from '../parts/mark.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The first page of whoever has no token in this browser. */
export function SignInPage() {
  return (
    <Center component="main" className="hero" p="md">
      <Stack w="100%" maw={420} gap="lg">
        <Stack align="center" gap="xs">
          <Mark size={52} />
          <Title order={1} className="brand">
            Switchboard
          </Title>
          <Text c="dimmed">Voice assistants and chat agents, on your own server.</Text>
        </Stack>
        <Card shadow="md" p="xl">
          <SignInForm />
        </Card>
        <Text size="sm" c="dimmed" ta="center">
          On a new server the admin key is printed at its start and kept in <Code>.data/admin-api-key</Code>. The API is
          described in the <Anchor href={`${serverUrl}/docs`}>documentation</Anchor>.
        </Text>
      </Stack>
    </Center>
  )
}
