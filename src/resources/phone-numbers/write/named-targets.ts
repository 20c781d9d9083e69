import type { NamedPlace } from '../../../voice-platform/mirror/agreement/named.ts'

const places = {
  voice_assistant_id: { path: ['assistantId'] },
  voice_squad_id: { path: ['squadId'] },
  voice_workflow_id: { path: ['workflowId'] },
} as const

/** Where a live number leads to. */
export const targetPlaces: readonly NamedPlace[] = Object.values(places)

/** The targets that a body names (contract: drift 10). One takes the place of the others, null clears its own. */
export function namedTargets(
  input: { [Field in keyof typeof places]?: string | null | undefined },
): readonly NamedPlace[] {
  if (Object.keys(places).some((field) => input[field as keyof typeof places])) return targetPlaces
  return Object.entries(places).flatMap(([field, place]) =>
    input[field as keyof typeof places] === null ? [place] : [],
  )
}
