import { lazy } from 'react'
import { waited } from '../../api/reach.ts'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** What a caller keeps for themselves. */
export const tabs: ScreenTab<object>[] = [
  { value: 'profile', label: 'Profile', Content: lazy(waited(() => import('./profile/profile.tsx'))) },
  { value: 'tokens', label: 'Tokens', Content: lazy(waited(() => import('./tokens/tokens.tsx'))) },
]
