import type { AccountContext } from '../../../api/context.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import type { Json } from '../../../json/object.ts'
import { findPersonality, keptWithout } from '../rendering/sources.ts'
import { type Draft, mergeConfig } from './draft.ts'
import { keptUnder } from './provider-parts.ts'

const without = (voice: Json, keys: object): Json =>
  Object.fromEntries(Object.entries(voice).filter(([key]) => !(key in keys)))

interface Switch {
  personality_id?: number | null
  voice?: Json | null
}

/**
 * Switches a draft to another personality: its voice replaces the last one's, and what the body says of the voice
 * goes on top; a null `voiceId` leaves the voice of one that is chosen beside it (contract: assistants 46). The
 * assistant's own name stays (contract: assistants 31).
 * Throws 422 on `personality_id` for one that does not exist.
 */
export async function switchPersonality(
  ctx: AccountContext,
  stored: Draft,
  draft: Draft,
  sent: Switch,
): Promise<Draft> {
  const { personality_id: id } = sent
  if (id === undefined) return draft
  const last =
    stored.personalityId === null ? stored.kept?.personality : await findPersonality(ctx.db, stored.personalityId)
  const next = id === null ? undefined : await findPersonality(ctx.db, id)
  if (id !== null && !next) throw notExisting('personality_id')
  const own = without(stored.config.voice ?? {}, last?.voice ?? {})
  const brought = { ...keptUnder('voice', own, next?.voice ?? {}), ...next?.voice }
  const said = next && sent.voice?.voiceId === null ? without(sent.voice, { voiceId: null }) : sent.voice
  const { voice } = mergeConfig({ voice: brought }, { voice: said }, draft.build)
  const kept = keptWithout(draft.kept, ['personality'])
  return { ...draft, personalityId: id, kept, config: { ...draft.config, voice } }
}
