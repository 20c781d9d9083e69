import { client } from '../../api/client.ts'
import { type Choice, choicesAtOnce, type Found } from '../../parts/search-select.tsx'
import { type Access, mayRead } from '../../session/access.tsx'
import type { PhoneNumber } from './list.tsx'

/** A number's target as one value: its kind and its id on the platform; empty for none. */
export function targetIn({ voice_assistant_id, voice_squad_id, voice_workflow_id }: PhoneNumber): string {
  if (voice_assistant_id) return `assistant ${voice_assistant_id}`
  if (voice_squad_id) return `squad ${voice_squad_id}`
  return voice_workflow_id ? `workflow ${voice_workflow_id}` : ''
}

/** A group of choices; none without any. */
const groupOf = (group: string, items: Choice[]) => (items.length > 0 ? [{ group, items }] : [])

/** Who may answer a number's calls and has a name that holds the text, in groups. */
export async function findTargets(access: Access, search: string): Promise<Found> {
  const query = { search, per_page: choicesAtOnce }
  const [assistants, squads] = await Promise.all([
    mayRead(access, 'assistants') ? client.assistants.list.query(query) : undefined,
    mayRead(access, 'squads') ? client.squads.list.query(query) : undefined,
  ])
  const published = squads?.data.filter(({ status }) => status === 'published') ?? []
  return {
    choices: [
      ...groupOf(
        'Assistants',
        (assistants?.data ?? []).map(({ voice_assistant_id, name }) => ({
          value: `assistant ${voice_assistant_id}`,
          label: name,
        })),
      ),
      ...groupOf(
        'Squads',
        published.map(({ external_squad_id, name }) => ({ value: `squad ${external_squad_id}`, label: name })),
      ),
    ],
    more: [assistants, squads].some((page) => page && page.pagination.last_page > 1),
  }
}
