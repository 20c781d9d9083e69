import { AppShell, Burger, Button, Group, Kbd, NavLink, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { openSpotlight } from '@mantine/spotlight'
import { IconCode, IconSearch } from '@tabler/icons-react'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { waited } from '../api/reach.ts'
import { Mark } from '../parts/mark.tsx'
import { useAccess } from '../session/access.tsx'
import { margin } from '../theme.ts'
import { AccountMenu } from './account-menu.tsx'
import { Finder } from './finder.tsx'
import { keepFocus } from './focus.ts'
import { sectionsFor } from './navigation.ts'
import { ThemeToggle } from './theme-toggle.tsx'

const ApiDrawer = lazy(waited(() => import('./api-drawer.tsx')))

/** What the key of shortcuts is called on this device. */
const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** What surrounds every screen: sections, search, theme, account, and the examples of the API. */
export function Shell() {
  const [menu, { toggle, close }] = useDisclosure(false)
  const [examples, drawer] = useDisclosure(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const content = useRef<HTMLElement>(null)
  const access = useAccess()
  const router = useRouter()
  useEffect(() => {
    const { arrived, stop } = keepFocus()
    const forget = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation && pathChanged) arrived()
    })
    return () => {
      forget()
      stop()
    }
  }, [router])
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !menu } }}
      padding={margin}
    >
      <UnstyledButton className="skip" onClick={() => content.current?.focus()}>
        Skip to the content
      </UnstyledButton>
      <AppShell.Header bg="var(--nav)">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" className="bar">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={menu}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Sections"
              aria-expanded={menu}
            />
            <Link
              to="/"
              aria-label="Switchboard, home"
              className="brand"
              style={{ textDecoration: 'none', color: 'inherit' }}
            >
              <Group gap="xs" wrap="nowrap">
                <Mark />
                <Text fw={700} visibleFrom="xs" className="brand">
                  Switchboard
                </Text>
              </Group>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <UnstyledButton onClick={openSpotlight} className="search" visibleFrom="sm">
              <Group gap="sm" wrap="nowrap">
                <IconSearch size={16} />
                <Text size="sm" c="dimmed" flex={1}>
                  Search
                </Text>
                <Kbd size="xs">{commandKey} K</Kbd>
              </Group>
            </UnstyledButton>
            <Button
              variant="subtle"
              color="gray"
              size="compact-md"
              hiddenFrom="sm"
              onClick={openSpotlight}
              aria-label="Search everything"
            >
              <IconSearch size={18} />
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-md"
              onClick={drawer.open}
              aria-label="Show the API calls of this screen"
            >
              <IconCode size={18} />
            </Button>
            <ThemeToggle />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" bg="var(--nav)" aria-label="Sections" mod={{ closed: !menu }}>
        <AppShell.Section grow component={ScrollArea}>
          <Stack gap={2}>
            {sectionsFor(access).map(({ label, to, icon: Icon }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                leftSection={<Icon size={18} stroke={1.7} />}
                active={to === '/' ? path === '/' : path.startsWith(to)}
                onClick={close}
                style={{ borderRadius: 8 }}
                fw={500}
              />
            ))}
          </Stack>
        </AppShell.Section>
        <AppShell.Section>
          <Text size="xs" c="dimmed" px="sm" py={4} truncate>
            {access.workspace.name}
          </Text>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main ref={content} tabIndex={-1}>
        <div className="content">
          <Outlet />
        </div>
      </AppShell.Main>
      <Finder />
      {examples && (
        <Suspense>
          <ApiDrawer onClose={drawer.close} />
        </Suspense>
      )}
    </AppShell>
  )
}
