import { Accordion, Fieldset } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMayWrite } from '../../../session/access.tsx'

/** The sections of the editor that open and close, by the fields that they hold. */
const sections = {
  voice: /^(voice|transcriber|model|backgroundSound)\b/,
  end: /^(endCallMessage|endCallPhrases|voicemailMessage|maxDurationSeconds)$/,
  webhook: /^metadata\.webhook_url$/,
  company: /^metadata\.(?!webhook_url$)/,
  rest: /^rest$/,
}

type SectionName = keyof typeof sections

/** The section that holds a field; undefined for one that is always in sight. */
export const sectionOf = (field: string): string | undefined =>
  Object.entries(sections).find(([, fields]) => fields.test(field))?.[0]

interface SectionProps {
  name: SectionName
  title: string
  children: ReactNode
}

/** A section of the editor: anybody opens it, and its fields are for who may write. */
export function Section({ name, title, children }: SectionProps) {
  const mayWrite = useMayWrite('assistants')
  return (
    <Accordion.Item value={name}>
      <Accordion.Control>{title}</Accordion.Control>
      <Accordion.Panel>
        <Fieldset disabled={!mayWrite} variant="unstyled">
          {children}
        </Fieldset>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
