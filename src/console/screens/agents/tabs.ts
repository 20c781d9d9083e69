import { lazy } from 'react'
import type { client } from '../../api/client.ts'
import { waited } from '../../api/reach.ts'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** An agent as the API gives it. */
export type Agent = Awaited<ReturnType<typeof client.agents.get.query>>['data']

export interface AgentTabProps {
  agent: Agent
}

/** What one agent's screen shows. */
export const tabs: ScreenTab<AgentTabProps>[] = [
  { value: 'chat', label: 'Chat', Content: lazy(waited(() => import('./chat/chats.tsx'))) },
  { value: 'instructions', label: 'Instructions', Content: lazy(waited(() => import('./instructions.tsx'))) },
  { value: 'files', label: 'Files', Content: lazy(waited(() => import('./files/files.tsx'))) },
  { value: 'connectors', label: 'Tools', Content: lazy(waited(() => import('./connectors/connectors.tsx'))) },
  { value: 'budget', label: 'Budget', Content: lazy(waited(() => import('./budget.tsx'))) },
  { value: 'shares', label: 'Shares', Content: lazy(waited(() => import('./shares.tsx'))) },
]
