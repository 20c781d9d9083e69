import { lazy } from 'react'
import type { client } from '../../api/client.ts'
import { waited } from '../../api/reach.ts'
import type { ScreenTab } from '../../parts/screen-tabs.tsx'

/** An agent as the API gives it. */
export type Agent = Awaited<ReturnType<typeof client.agents.get.query>>['data']

/** What the caller was given of an agent, as the API says it. */
type AgentAccess = Awaited<ReturnType<typeof client.agents.access.query>>['data']

/** What the caller may change of an agent: as its owner or by its share, and with its token. */
export interface AgentRights {
  /** Instructions, files and tools. */
  change: boolean
  /** Memory, shares, and the agent as a whole. */
  own: boolean
}

export interface AgentTabProps {
  agent: Agent
  may: AgentRights
}

/** What one agent's screen shows its owner. */
export const tabs: ScreenTab<AgentTabProps>[] = [
  { value: 'chat', label: 'Chat', Content: lazy(waited(() => import('./chat/chats.tsx'))) },
  { value: 'instructions', label: 'Instructions', Content: lazy(waited(() => import('./instructions.tsx'))) },
  { value: 'files', label: 'Files', Content: lazy(waited(() => import('./files/files.tsx'))) },
  { value: 'connectors', label: 'Tools', Content: lazy(waited(() => import('./connectors/connectors.tsx'))) },
  { value: 'budget', label: 'Budget', Content: lazy(waited(() => import('./budget.tsx'))) },
  { value: 'shares', label: 'Shares', Content: lazy(waited(() => import('./shares.tsx'))) },
]

const ofOwner = ['budget', 'shares']

/** What it shows this caller: a share may leave out the chats, and some is for its owner alone. */
export const tabsFor = ({ access, mcp_access }: AgentAccess) =>
  tabs.filter(({ value }) => (value === 'chat' ? mcp_access : access === 'own' || !ofOwner.includes(value)))
