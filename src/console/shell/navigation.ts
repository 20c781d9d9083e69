import { IconHome, type IconProps, IconRobot } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Access, Feature } from '../session/access.tsx'

export interface Section {
  label: string
  to: string
  icon: ComponentType<IconProps>
  about: string
  /** Only for whoever has this feature. */
  feature?: Feature
  /** Only for operators. */
  operators?: boolean
}

const sections: Section[] = [
  { label: 'Home', to: '/', icon: IconHome, about: 'Set-up, health and today' },
  { label: 'Assistants', to: '/assistants', icon: IconRobot, about: 'Who answers the phone', feature: 'assistants' },
]

/** The sections that a caller may open. */
export const sectionsFor = ({ features, role }: Access): Section[] =>
  sections.filter(
    ({ feature, operators }) => (!feature || features.includes(feature)) && (!operators || role === 'admin'),
  )
