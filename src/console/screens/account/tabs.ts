import { lazy } from 'react'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** What a caller keeps for themselves. */
export const tabs: ScreenTab<object>[] = [
  { value: 'profile', label: 'Profile', Content: lazy(() => import('./profile/profile.tsx')) },
  { value: 'tokens', label: 'Tokens', Content: lazy(() => import('./tokens/tokens.tsx')) },
]
