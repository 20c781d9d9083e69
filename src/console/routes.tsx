import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { basePath } from './api/address.ts'
import { Failed } from './parts/failed.tsx'
import { readListSearch } from './parts/list-search.ts'
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
  component: lazyRouteComponent(() => import('./screens/assistants/list.tsx'), 'AssistantList'),
})

const assistant = createRoute({
  getParentRoute,
  path: '/assistants/$assistantId',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/assistants/assistant.tsx'), 'AssistantScreen'),
})

export const router = createRouter({
  routeTree: root.addChildren([home, assistants, assistant]),
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
