import type { client } from '../../api/client.ts'
import { type Feature, useMayWrite } from '../../session/access.tsx'

/** A difference between a record and its live object, as the API gives it. */
export type Difference = Awaited<ReturnType<typeof client.drift.list.query>>['data'][number]

export type Kind = Difference['kind']

export const kinds: Record<Kind, { label: string; feature: Feature }> = {
  assistant: { label: 'Assistant', feature: 'assistants' },
  squad: { label: 'Squad', feature: 'squads' },
  phone_number: { label: 'Number', feature: 'phone_numbers' },
  tool: { label: 'Tool', feature: 'assistants' },
}

/** What happened outside, for people. */
export const happened: Record<Difference['difference'], { label: string; color: string }> = {
  changed: { label: 'changed', color: 'yellow' },
  missing: { label: 'lost', color: 'red' },
  unmanaged: { label: 'not ours', color: 'gray' },
}

/** Whether the caller may choose a side; tools are the catalogue's, and what has no record has no side of ours. */
export function useMayReconcile({ kind, resource }: Difference): boolean {
  const mayWrite = useMayWrite(kinds[kind].feature)
  return mayWrite && resource !== null && kind !== 'tool'
}
