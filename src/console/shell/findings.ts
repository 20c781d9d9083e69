import {
  IconBuilding,
  IconMessageChatbot,
  IconPhone,
  type IconProps,
  IconRobot,
  IconSitemap,
  IconUser,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { api } from '../api/client.ts'
import { type Feature, mayOperate, mayRead, useAccess } from '../session/access.tsx'

interface Finding {
  id: string
  label: string
  description: string
  to: string
  icon: ComponentType<IconProps>
}

const perKind = 4

const addressOf = (path: string, search: string) => `${path}search=${encodeURIComponent(search)}`

/** What has a name that holds the text, users and workspaces for operators; nothing for an empty text. */
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
  const squads = useQuery(api.squads.list.queryOptions({ search: text, per_page: perKind }, when('squads')))
  const operators = { enabled: text !== '' && mayOperate(access) }
  const users = useQuery(api.admin.users.list.queryOptions({ search: text, per_page: perKind }, operators))
  const workspaces = useQuery(api.admin.workspaces.list.queryOptions({ search: text, per_page: perKind }, operators))
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
      to: addressOf('/numbers?', phone_number.slice(1)),
      icon: IconPhone,
    })),
    ...(squads.data?.data ?? []).map(({ external_squad_id, name, status }) => ({
      id: external_squad_id,
      label: name,
      description: `Squad · ${status}`,
      to: `/squads/${external_squad_id}`,
      icon: IconSitemap,
    })),
    ...(users.data?.data ?? []).map(({ id, name, email }) => ({
      id: `user ${id}`,
      label: name,
      description: `User · ${email}`,
      to: addressOf('/admin?filter=users&', email),
      icon: IconUser,
    })),
    ...(workspaces.data?.data ?? []).map(({ id, name }) => ({
      id: `workspace ${id}`,
      label: name,
      description: 'Workspace',
      to: addressOf('/admin?filter=workspaces&', name),
      icon: IconBuilding,
    })),
  ]
}
