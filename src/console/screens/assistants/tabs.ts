import { lazy } from 'react'
import type { client } from '../../api/client.ts'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** An assistant as the API gives it. */
export type Assistant = Awaited<ReturnType<typeof client.assistants.get.query>>['data']

export interface TabProps {
  assistant: Assistant
}

/** What one assistant's screen shows; each part is loaded when it is opened. */
export const tabs: ScreenTab<TabProps>[] = [
  { value: 'edit', label: 'Edit', Content: lazy(() => import('./edit/edit.tsx')) },
  { value: 'talk', label: 'Talk', Content: lazy(() => import('./talk/talk.tsx')) },
  { value: 'calls', label: 'Calls', Content: lazy(() => import('./calls/calls.tsx')) },
  { value: 'history', label: 'History', Content: lazy(() => import('./history/history.tsx')) },
  { value: 'statistics', label: 'Statistics', Content: lazy(() => import('./statistics/statistics.tsx')) },
  { value: 'website', label: 'Website', Content: lazy(() => import('./website/website.tsx')) },
  {
    value: 'conversations',
    label: 'Conversations',
    Content: lazy(() => import('./conversations/conversations.tsx')),
  },
  { value: 'webhooks', label: 'Webhooks', Content: lazy(() => import('./webhooks/webhooks.tsx')) },
]
