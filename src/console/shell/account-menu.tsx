import { Avatar, Badge, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBook, IconLogout } from '@tabler/icons-react'
import { serverUrl } from '../api/address.ts'
import { useAccess } from '../session/access.tsx'
import { session } from '../session/session.ts'

/** Who is signed in, and the way out. */
export function AccountMenu() {
  const { user, role, workspace_role } = useAccess()
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar name={user.name} size={34} variant="filled" color="indigo" aria-hidden />
          <VisuallyHidden>Account of {user.name}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Group px="sm" py="xs" gap={4}>
          <Text fw={600} truncate w="100%">
            {user.name}
          </Text>
          <Text size="sm" c="dimmed" truncate w="100%">
            {user.email}
          </Text>
          <Badge>{role === 'admin' ? 'operator' : role === 'reseller_admin' ? 'reseller' : workspace_role}</Badge>
        </Group>
        <Menu.Divider />
        <Menu.Item component="a" href={`${serverUrl}/docs`} leftSection={<IconBook size={16} />}>
          API documentation
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => session.signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
