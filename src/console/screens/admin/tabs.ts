import { lazy } from 'react'
import { waited } from '../../api/reach.ts'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** What operators keep and see. */
export const tabs: ScreenTab<object>[] = [
  { value: 'users', label: 'Users', Content: lazy(waited(() => import('./users.tsx'))) },
  { value: 'workspaces', label: 'Workspaces', Content: lazy(waited(() => import('./workspaces.tsx'))) },
  { value: 'resellers', label: 'Resellers', Content: lazy(waited(() => import('./resellers.tsx'))) },
  { value: 'catalogue', label: 'Catalogue', Content: lazy(waited(() => import('./catalogue.tsx'))) },
  { value: 'imports', label: 'Imports', Content: lazy(waited(() => import('./imports/imports.tsx'))) },
  { value: 'audit', label: 'Audit', Content: lazy(waited(() => import('./audit.tsx'))) },
  { value: 'system', label: 'System', Content: lazy(waited(() => import('./system.tsx'))) },
]
