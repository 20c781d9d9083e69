import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { basePath } from './api/address.ts'
import { waited } from './api/reach.ts'
import { Failed } from './parts/failed.tsx'
import { readListSearch } from './parts/list-search.ts'
import { readAgentSearch } from './screens/agents/search.ts'
import { readAssistantSearch } from './screens/assistants/search.ts'
import { Home } from './screens/home/home.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const getParentRoute = () => root

const home = createRoute({ getParentRoute, path: '/', component: Home })

const assistants = createRoute({
  getParentRoute,
  path: '/assistants',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/assistants/list.tsx')),
    'AssistantList',
  ),
})

const build = createRoute({
  getParentRoute,
  path: '/build',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/build/build.tsx')),
    'BuildScreen',
  ),
})

const assistant = createRoute({
  getParentRoute,
  path: '/assistants/$assistantId',
  validateSearch: readAssistantSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/assistants/assistant.tsx')),
    'AssistantScreen',
  ),
})

const agents = createRoute({
  getParentRoute,
  path: '/agents',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/agents/list.tsx')),
    'AgentList',
  ),
})

const agent = createRoute({
  getParentRoute,
  path: '/agents/$agentId',
  validateSearch: readAgentSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/agents/agent.tsx')),
    'AgentScreen',
  ),
})

const numbers = createRoute({
  getParentRoute,
  path: '/numbers',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/numbers/list.tsx')),
    'NumberList',
  ),
})

const squads = createRoute({
  getParentRoute,
  path: '/squads',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/squads/list.tsx')),
    'SquadList',
  ),
})

const squad = createRoute({
  getParentRoute,
  path: '/squads/$squadId',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/squads/squad.tsx')),
    'SquadScreen',
  ),
})

const deliveries = createRoute({
  getParentRoute,
  path: '/deliveries',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/deliveries/screen.tsx')),
    'DeliveriesScreen',
  ),
})

const drift = createRoute({
  getParentRoute,
  path: '/drift',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/drift/list.tsx')),
    'DriftList',
  ),
})

const usage = createRoute({
  getParentRoute,
  path: '/usage',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/usage/usage.tsx')),
    'UsageScreen',
  ),
})

const account = createRoute({
  getParentRoute,
  path: '/account',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/account/account.tsx')),
    'AccountScreen',
  ),
})

const admin = createRoute({
  getParentRoute,
  path: '/admin',
  validateSearch: readListSearch,
  component: lazyRouteComponent(
    waited(() => import('./screens/admin/admin.tsx')),
    'AdminScreen',
  ),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    assistants,
    build,
    assistant,
    agents,
    agent,
    numbers,
    squads,
    squad,
    deliveries,
    drift,
    usage,
    account,
    admin,
  ]),
  basepath: basePath,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
