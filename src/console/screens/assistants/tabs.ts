import { type ComponentType, lazy } from 'react'
import type { client } from '../../api/client.ts'

/** An assistant as the API gives it. */
export type Assistant = Awaited<ReturnType<typeof client.assistants.get.query>>['data']

export interface TabProps {
  assistant: Assistant
}

interface Tab {
  value: string
  label: string
  Content: ComponentType<TabProps>
}

/** What one assistant's screen shows; each part is loaded when it is opened. */
export const tabs: Tab[] = [{ value: 'edit', label: 'Edit', Content: lazy(() => import('./edit/edit.tsx')) }]
