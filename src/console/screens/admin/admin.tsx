import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { Page } from '../../parts/page.tsx'
import { type ScreenTab, ScreenTabs } from '../../parts/screen-tabs.tsx'
import { mayOperate, useAccess } from '../../session/access.tsx'
import { NotFound } from '../../shell/not-found.tsx'

const route = getRouteApi('/admin')

const tabs: ScreenTab<object>[] = [
  { value: 'users', label: 'Users', Content: lazy(() => import('./users.tsx')) },
  { value: 'workspaces', label: 'Workspaces', Content: lazy(() => import('./workspaces.tsx')) },
  { value: 'resellers', label: 'Resellers', Content: lazy(() => import('./resellers.tsx')) },
  { value: 'catalogue', label: 'Catalogue', Content: lazy(() => import('./catalogue.tsx')) },
  { value: 'audit', label: 'Audit', Content: lazy(() => import('./audit.tsx')) },
]

/** What operators keep. */
export function AdminScreen() {
  const { filter: open = 'users' } = route.useSearch()
  const navigate = route.useNavigate()
  if (!mayOperate(useAccess())) return <NotFound />
  return (
    <Page title="Administration" about="Accounts, what is built from, and who changed what.">
      <ScreenTabs tabs={tabs} open={open} onOpen={(filter) => navigate({ search: { filter } })} content={{}} />
    </Page>
  )
}
