import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { mayRead, useAccess } from '../../session/access.tsx'
import type { PhoneNumber } from './list.tsx'

/** A number's target as one value: its kind and its id on the platform; empty for none. */
export function targetIn({ voice_assistant_id, voice_squad_id, voice_workflow_id }: PhoneNumber): string {
  if (voice_assistant_id) return `assistant ${voice_assistant_id}`
  if (voice_squad_id) return `squad ${voice_squad_id}`
  return voice_workflow_id ? `workflow ${voice_workflow_id}` : ''
}

interface Choice {
  value: string
  label: string
}

/** A group of choices; none without any. */
const groupOf = (group: string, items: Choice[]) => (items.length > 0 ? [{ group, items }] : [])

/** Who may answer a number's calls, in groups; a workflow is offered where it is set already. */
export function useTargets(number: PhoneNumber) {
  const access = useAccess()
  const assistants = useQuery(
    api.assistants.list.queryOptions({ per_page: 100 }, { enabled: mayRead(access, 'assistants') }),
  )
  const squads = useQuery(api.squads.list.queryOptions({ per_page: 100 }, { enabled: mayRead(access, 'squads') }))
  const published = squads.data?.data.filter(({ status }) => status === 'published') ?? []
  const workflow = number.voice_workflow_id
  return [
    { value: '', label: 'Nobody' },
    ...groupOf(
      'Assistants',
      (assistants.data?.data ?? []).map(({ voice_assistant_id, name }) => ({
        value: `assistant ${voice_assistant_id}`,
        label: name,
      })),
    ),
    ...groupOf(
      'Squads',
      published.map(({ external_squad_id, name }) => ({ value: `squad ${external_squad_id}`, label: name })),
    ),
    ...groupOf('Workflows', workflow ? [{ value: `workflow ${workflow}`, label: workflow }] : []),
  ]
}
