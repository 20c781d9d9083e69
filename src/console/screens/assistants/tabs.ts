import { lazy } from 'react'
import type { client } from '../../api/client.ts'
import { waited } from '../../api/reach.ts'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** An assistant as the API gives it. */
export type Assistant = Awaited<ReturnType<typeof client.assistants.get.query>>['data']

export interface TabProps {
  assistant: Assistant
}

/** What one assistant's screen shows; each part is loaded when it is opened. */
export const tabs: ScreenTab<TabProps>[] = [
  { value: 'edit', label: 'Edit', Content: lazy(waited(() => import('./edit/edit.tsx'))) },
  { value: 'talk', label: 'Talk', Content: lazy(waited(() => import('./talk/talk.tsx'))) },
  { value: 'calls', label: 'Calls', Content: lazy(waited(() => import('./calls/calls.tsx'))) },
  { value: 'history', label: 'History', Content: lazy(waited(() => import('./history/history.tsx'))) },
  { value: 'statistics', label: 'Statistics', Content: lazy(waited(() => import('./statistics/statistics.tsx'))) },
  { value: 'website', label: 'Website', Content: lazy(waited(() => import('./website/website.tsx'))) },
  {
    value: 'conversations',
    label: 'Conversations',
    Content: lazy(waited(() => import('./conversations/conversations.tsx'))),
  },
  { value: 'webhooks', label: 'Webhooks', Content: lazy(waited(() => import('./webhooks/webhooks.tsx'))) },
]
