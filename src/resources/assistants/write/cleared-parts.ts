import type { z } from 'zod'
import type { Json } from '../../../json/object.ts'
import type { Draft } from './draft.ts'
import { ConfigFields, type WriteBody } from './schema.ts'

const { model, transcriber } = ConfigFields.shape

/** What an editor can say of these parts. A voice without its id is that of the layers (contract: assistants 46). */
const settings = {
  model: Object.keys(model.unwrap().unwrap().shape),
  transcriber: Object.keys(transcriber.unwrap().unwrap().shape),
  voice: ['voiceId', 'speed'],
} as const

type Part = keyof typeof settings
type Body = Pick<z.output<typeof WriteBody>, Part>

const cleared = (part: Part, stored: Json): Json =>
  Object.fromEntries(settings[part].filter((key) => Object.hasOwn(stored, key)).map((key) => [key, null]))

/**
 * A body in which null for the model, voice or transcriber of an assistant that v2 built takes away every setting of
 * it, whichever layer brought it, and stays so as the layers are merged again (record 0006). What is selected there,
 * engine and voice, is not the body's to say (contract: assistants 14, assistants 21).
 */
export function withPartsCleared<Sent extends Body>({ build, config }: Draft, body: Sent): Sent {
  if (!build) return body
  const { model, voice, transcriber } = config
  return {
    ...body,
    ...(body.model === null && model && { model: { ...cleared('model', model), messages: null } }),
    ...(body.transcriber === null && transcriber && { transcriber: cleared('transcriber', transcriber) }),
    ...(body.voice === null && voice && { voice: cleared('voice', voice) }),
  }
}
