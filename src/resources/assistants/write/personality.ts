import type { AccountContext } from '../../../api/context.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { layersOf } from '../rendering/layers.ts'
import { mergeLayers } from '../rendering/merge-layers.ts'
import { keptWithout, loadSources, personalityOf, type Sources } from '../rendering/sources.ts'
import type { AssistantConfig } from '../schema.ts'
import { type Draft, mergeConfig } from './draft.ts'
import { keepEdits, withoutEdits } from './keep-edits.ts'
import { selectionOf } from './provider-parts.ts'

/**
 * What personalities say of the voice, by path, as one of them is chosen after the other. Who selects a voice says all
 * that means something to its provider alone.
 * @param voices as it was given, and as it is
 */
export function saidOfVoice(personalities: Sources['personality'][], voices: AssistantConfig['voice'][]): string[] {
  const named: Settings = Object.assign({}, ...personalities.map((one) => one?.voice))
  const isSelected = named.provider !== undefined || named.voiceId !== undefined
  const keys = Object.keys({ ...(isSelected && selectionOf(Object.assign({}, ...voices))), ...named })
  return keys.map((key) => `voice.${key}`)
}

interface Switch {
  personality_id?: number | null
  voice?: Settings | null
}

/**
 * Switches a draft to another personality: its voice replaces the last one's, and what the body says of the voice
 * goes on top; a null `voiceId` leaves the voice of one that is chosen beside it (contract: assistants 46). Where v2
 * built the assistant, its layers give their voice anew, as a rebuild has them do. The assistant's own name stays
 * (contract: assistants 31). Throws 422 on `personality_id` for one that does not exist.
 */
export async function switchPersonality(
  ctx: AccountContext,
  stored: Draft,
  draft: Draft,
  { personality_id: id, voice: sent }: Switch,
): Promise<Draft> {
  if (id === undefined) return draft
  const next = { ...draft, personalityId: id, kept: keptWithout(draft, ['personality']) }
  const [last, personality] = await Promise.all([personalityOf(ctx.db, stored), personalityOf(ctx.db, next)])
  if (id !== null && !personality) throw notExisting('personality_id')

  const { build } = draft
  const was = build ? build.config.voice : last?.voice
  const { voice }: AssistantConfig = build
    ? mergeLayers(layersOf(await loadSources(ctx.db, next), build.request)).config
    : { voice: personality?.voice ?? {} }
  const { voice: is } = stored.config
  const own = withoutEdits({ voice: was }, { voice: is }, saidOfVoice([last, personality], [was, is]))
  const brought = keepEdits({ voice: was }, own, { voice })

  const built = build && { ...build, config: { ...build.config, voice } }
  const { voiceId, ...others } = sent ?? {}
  const said = personality && voiceId === null ? others : sent
  const { voice: merged } = mergeConfig(brought, { voice: said }, built)
  return { ...next, build: built, config: { ...draft.config, voice: merged } }
}
