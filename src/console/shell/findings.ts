import { type IconProps, IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { api } from '../api/client.ts'
import { useAccess } from '../session/access.tsx'

interface Finding {
  id: string
  label: string
  description: string
  to: string
  icon: ComponentType<IconProps>
}

/** Resources whose name holds the text; none for an empty text. */
export function useFindings(text: string): Finding[] {
  const { features } = useAccess()
  const assistants = useQuery(
    api.assistants.list.queryOptions(
      { search: text, per_page: 5, lite: true },
      { enabled: text !== '' && features.includes('assistants') },
    ),
  )
  if (text === '') return []
  return (assistants.data?.data ?? []).map(({ assistant_id, name, type }) => ({
    id: assistant_id,
    label: name,
    description: `Assistant · ${type}`,
    to: `/assistants/${assistant_id}`,
    icon: IconRobot,
  }))
}
