import { Avatar, Badge, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBook, IconKey, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { serverUrl } from '../api/address.ts'
import { mayLeave } from '../parts/unsaved.ts'
import { mayReadAccount, useAccess } from '../session/access.tsx'
import { session } from '../session/session.ts'

/** Who is signed in, what is theirs, and the way out. */
export function AccountMenu() {
  const access = useAccess()
  const { user, role, workspace_role } = access
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
        {mayReadAccount(access) && (
          <>
            <Menu.Item component={Link} to="/account?filter=profile" leftSection={<IconUser size={16} />}>
              Profile
            </Menu.Item>
            <Menu.Item component={Link} to="/account?filter=tokens" leftSection={<IconKey size={16} />}>
              Tokens
            </Menu.Item>
          </>
        )}
        <Menu.Item component="a" href={`${serverUrl}/docs`} leftSection={<IconBook size={16} />}>
          API documentation
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => mayLeave() && session.signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
