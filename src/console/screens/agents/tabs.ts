import { lazy } from 'react'
import type { client } from '../../api/client.ts'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** An agent as the API gives it. */
export type Agent = Awaited<ReturnType<typeof client.agents.get.query>>['data']

export interface AgentTabProps {
  agent: Agent
}

/** What one agent's screen shows. */
export const tabs: ScreenTab<AgentTabProps>[] = [
  { value: 'chat', label: 'Chat', Content: lazy(() => import('./chat/chats.tsx')) },
  { value: 'instructions', label: 'Instructions', Content: lazy(() => import('./instructions.tsx')) },
  { value: 'files', label: 'Files', Content: lazy(() => import('./files/files.tsx')) },
  { value: 'connectors', label: 'Tools', Content: lazy(() => import('./connectors/connectors.tsx')) },
  { value: 'budget', label: 'Budget', Content: lazy(() => import('./budget.tsx')) },
  { value: 'shares', label: 'Shares', Content: lazy(() => import('./shares.tsx')) },
]
