import { IconMessageChatbot, IconPhone, type IconProps, IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { api } from '../api/client.ts'
import { type Feature, mayRead, useAccess } from '../session/access.tsx'

interface Finding {
  id: string
  label: string
  description: string
  to: string
  icon: ComponentType<IconProps>
}

const perKind = 4

/** Assistants, agents and numbers whose name holds the text; none for an empty text. */
export function useFindings(text: string): Finding[] {
  const access = useAccess()
  const when = (feature: Feature) => ({ enabled: text !== '' && mayRead(access, feature) })
  const assistants = useQuery(
    api.assistants.list.queryOptions({ search: text, per_page: perKind, lite: true }, when('assistants')),
  )
  const agents = useQuery(api.agents.list.queryOptions({ q: text, per_page: perKind }, when('ai_chat')))
  const numbers = useQuery(
    api.phoneNumbers.list.queryOptions({ search: text, per_page: perKind }, when('phone_numbers')),
  )
  if (text === '') return []
  return [
    ...(assistants.data?.data ?? []).map(({ assistant_id, name, type }) => ({
      id: assistant_id,
      label: name,
      description: `Assistant · ${type}`,
      to: `/assistants/${assistant_id}`,
      icon: IconRobot,
    })),
    ...(agents.data?.data ?? []).map(({ id, name }) => ({
      id,
      label: name,
      description: 'Agent',
      to: `/agents/${id}`,
      icon: IconMessageChatbot,
    })),
    ...(numbers.data?.data ?? []).map(({ phone_number, name }) => ({
      id: phone_number,
      label: phone_number,
      description: name ?? 'Number',
      to: `/numbers?search=${encodeURIComponent(phone_number.slice(1))}`,
      icon: IconPhone,
    })),
  ]
}
