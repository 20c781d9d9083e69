import { getRouteApi } from '@tanstack/react-router'
import { Page } from '../../parts/page.tsx'
import { ScreenTabs } from '../../parts/screen-tabs.tsx'
import { mayReadAccount, useAccess } from '../../session/access.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { tabs } from './tabs.ts'

const route = getRouteApi('/account')

/** What is the caller's own, whatever the role. */
export function AccountScreen() {
  const { filter: open = 'profile' } = route.useSearch()
  const navigate = route.useNavigate()
  if (!mayReadAccount(useAccess())) return <NotFound />
  return (
    <Page title="Your account" about="Who you are here, and what signs in as you.">
      <ScreenTabs tabs={tabs} open={open} onOpen={(filter) => navigate({ search: { filter } })} content={{}} />
    </Page>
  )
}
