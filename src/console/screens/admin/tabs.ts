import { lazy } from 'react'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** What operators keep and see. */
export const tabs: ScreenTab<object>[] = [
  { value: 'users', label: 'Users', Content: lazy(() => import('./users.tsx')) },
  { value: 'workspaces', label: 'Workspaces', Content: lazy(() => import('./workspaces.tsx')) },
  { value: 'resellers', label: 'Resellers', Content: lazy(() => import('./resellers.tsx')) },
  { value: 'catalogue', label: 'Catalogue', Content: lazy(() => import('./catalogue.tsx')) },
  { value: 'imports', label: 'Imports', Content: lazy(() => import('./imports/imports.tsx')) },
  { value: 'audit', label: 'Audit', Content: lazy(() => import('./audit.tsx')) },
  { value: 'system', label: 'System', Content: lazy(() => import('./system.tsx')) },
]
