import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import type { Json } from '../../../json/object.ts'
import { findPersonality } from '../rendering/sources.ts'
import type { Draft } from './draft.ts'
import { ConfigFields, type WriteBody } from './schema.ts'

const { model, transcriber } = ConfigFields.shape

/** What an editor can say of these parts besides their voice, whose speed alone is a setting. */
const settings = {
  model: Object.keys(model.unwrap().unwrap().shape),
  transcriber: Object.keys(transcriber.unwrap().unwrap().shape),
  voice: ['speed'],
} as const

type Part = keyof typeof settings
type Body = Pick<z.output<typeof WriteBody>, Part> & { personality_id?: number | null }

const cleared = (part: Part, stored: Json): Json =>
  Object.fromEntries(settings[part].filter((key) => Object.hasOwn(stored, key)).map((key) => [key, null]))

/** The voice that is selected: the personality's, else that of the layers, where it is one of the same provider. */
async function selectedVoice(ctx: AccountContext, { personalityId, kept, build, config }: Draft): Promise<Json> {
  const personality = personalityId === null ? kept?.personality : await findPersonality(ctx.db, personalityId)
  const voices: (Json | undefined)[] = [personality?.voice, build?.config.voice]
  const selected = voices.find((voice) => voice?.voiceId !== undefined && voice.provider === config.voice?.provider)
  return { voiceId: selected?.voiceId ?? null }
}

/**
 * A body in which null for the model, voice or transcriber of an assistant that v2 built takes away every setting of it,
 * whichever layer brought it, and stays so as the layers are merged again (record 0006). What is selected there, engine and
 * voice, is not the body's to say (contract: assistants 14, assistants 21).
 */
export async function withPartsCleared<Sent extends Body>(
  ctx: AccountContext,
  stored: Draft,
  body: Sent,
): Promise<Sent> {
  if (!stored.build) return body
  const { model, voice, transcriber } = stored.config
  const isVoiceNamed = voice?.voiceId !== undefined && body.personality_id === undefined
  return {
    ...body,
    ...(body.model === null && model && { model: { ...cleared('model', model), messages: null } }),
    ...(body.transcriber === null && transcriber && { transcriber: cleared('transcriber', transcriber) }),
    ...(body.voice === null &&
      voice && { voice: { ...cleared('voice', voice), ...(isVoiceNamed && (await selectedVoice(ctx, stored))) } }),
  }
}
