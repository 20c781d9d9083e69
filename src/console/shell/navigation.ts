import {
  IconArrowsDiff,
  IconHome,
  IconKey,
  IconMessageChatbot,
  IconPhone,
  type IconProps,
  IconReceipt2,
  IconRobot,
  IconSettings,
  IconSitemap,
  IconStack2,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { type Access, type Feature, mayOperate, mayRead, mayReadAccount, mayWrite } from '../session/access.tsx'

export interface Section {
  label: string
  to: string
  icon: ComponentType<IconProps>
  about: string
  /** Only for whoever has this feature. */
  feature?: Feature
  /** Only for whoever may change what belongs to the feature. */
  writes?: boolean
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

const allowed = (pages: readonly Section[], access: Access): Section[] =>
  pages.filter(
    ({ feature, writes, operators, account }) =>
      (!feature || (writes ? mayWrite(access, feature) : mayRead(access, feature))) &&
      (!operators || mayOperate(access)) &&
      (!account || mayReadAccount(access)),
  )

/** The sections that a caller may open. */
export const sectionsFor = (access: Access): Section[] => allowed(sections, access)

const admin = (filter: string, label: string, about: string): Section => ({
  label,
  to: `/admin?filter=${filter}`,
  icon: IconSettings,
  about,
  operators: true,
})

/** Screens within sections, for the search alone. */
const inner: Section[] = [
  {
    label: 'New assistant',
    to: '/assistants?filter=new',
    icon: IconRobot,
    about: 'With texts of your own',
    feature: 'assistants',
    writes: true,
  },
  {
    label: 'Profile',
    to: '/account?filter=profile',
    icon: IconUser,
    about: 'Who you are here',
    account: true,
  },
  {
    label: 'Tokens',
    to: '/account?filter=tokens',
    icon: IconKey,
    about: 'What signs in as you',
    account: true,
  },
  admin('users', 'Users', 'Who may sign in, with roles and tokens'),
  admin('workspaces', 'Workspaces', 'What they are billed in, and credits'),
  admin('resellers', 'Resellers', 'Who sells to others'),
  admin('catalogue', 'Catalogue', 'Bases, industries, personalities, tools, prices'),
  admin('imports', 'Imports', 'What was made on the voice platform'),
  admin('audit', 'Audit', 'Who changed what'),
  admin('system', 'System', 'Version, upgrade, background work'),
]

/** Every screen that a caller may open. */
export const pagesFor = (access: Access): Section[] => [...sectionsFor(access), ...allowed(inner, access)]
