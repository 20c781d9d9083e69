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
          On a new server this is the admin key: the start prints it, and the file <Code>admin-api-key</Code> of the
          data folder keeps it.
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          <Anchor href={`${serverUrl}/docs`}>Documentation of the API</Anchor>
        </Text>
      </Stack>
    </Center>
  )
}
