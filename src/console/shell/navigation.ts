import {
  IconArrowsDiff,
  IconHome,
  IconMessageChatbot,
  IconPhone,
  type IconProps,
  IconReceipt2,
  IconRobot,
  IconSettings,
  IconSitemap,
  IconStack2,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { type Access, type Feature, mayOperate, mayRead, mayReadAccount } from '../session/access.tsx'

export interface Section {
  label: string
  to: string
  icon: ComponentType<IconProps>
  about: string
  /** Only for whoever has this feature. */
  feature?: Feature
  /** Only for operators. */
  operators?: boolean
  /** Only for tokens that may read what belongs to no feature. */
  account?: boolean
}

const sections: Section[] = [
  { label: 'Home', to: '/', icon: IconHome, about: 'Set-up, health and today' },
  { label: 'Assistants', to: '/assistants', icon: IconRobot, about: 'Who answers the phone', feature: 'assistants' },
  { label: 'Build', to: '/build', icon: IconStack2, about: 'An assistant from layers', feature: 'assistants' },
  { label: 'Numbers', to: '/numbers', icon: IconPhone, about: 'Where calls come in', feature: 'phone_numbers' },
  { label: 'Squads', to: '/squads', icon: IconSitemap, about: 'Who hands over to whom', feature: 'squads' },
  {
    label: 'Webhooks',
    to: '/deliveries',
    icon: IconWebhook,
    about: 'What was sent about calls',
    feature: 'assistants',
  },
  {
    label: 'Differences',
    to: '/drift',
    icon: IconArrowsDiff,
    about: 'What was changed on the voice platform',
    account: true,
  },
  { label: 'Agents', to: '/agents', icon: IconMessageChatbot, about: 'Who answers in writing', feature: 'ai_chat' },
  { label: 'Usage', to: '/usage', icon: IconReceipt2, about: 'Balance and spend', feature: 'ai_chat' },
  { label: 'Administration', to: '/admin', icon: IconSettings, about: 'Accounts and catalogue', operators: true },
]

/** The sections that a caller may open. */
export const sectionsFor = (access: Access): Section[] =>
  sections.filter(
    ({ feature, operators, account }) =>
      (!feature || mayRead(access, feature)) &&
      (!operators || mayOperate(access)) &&
      (!account || mayReadAccount(access)),
  )
