import { getRouteApi } from '@tanstack/react-router'
import { Page } from '../../parts/page.tsx'
import { ScreenTabs } from '../../parts/screen-tabs.tsx'
import { mayOperate, useAccess } from '../../session/access.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { tabs } from './tabs.ts'

const route = getRouteApi('/admin')

/** What operators keep. */
export function AdminScreen() {
  const { filter: open = 'users' } = route.useSearch()
  const navigate = route.useNavigate()
  if (!mayOperate(useAccess())) return <NotFound />
  return (
    <Page title="Administration" about="Accounts, what is built from, who changed what, and how the server is doing.">
      <ScreenTabs tabs={tabs} open={open} onOpen={(filter) => navigate({ search: { filter } })} content={{}} />
    </Page>
  )
}
