import { z } from 'zod'
import type { FieldErrors } from '../../../api/errors/api-error.ts'
import { inputError } from '../../../api/errors/validation.ts'
import { clearable, text } from '../../../api/schemas.ts'
import { refusedParts } from '../../../voice-platform/schema/rules.ts'
import { isAttached } from '../../tools/attach.ts'
import { ConfigFields, openObject } from './schema.ts'

const { model, voice, transcriber } = ConfigFields.shape
const provider = clearable(text(100))
const engine = clearable(text(255))

/** A whole configuration: the write body's fields with the platform-managed ones (contract: catalogue 7). */
const ConfigRules = ConfigFields.extend({
  model: clearable(model.unwrap().unwrap().extend({ provider, model: engine })),
  voice: clearable(voice.unwrap().unwrap().extend({ provider, model: engine })),
  transcriber: clearable(transcriber.unwrap().unwrap().extend({ provider, model: engine })),
  observabilityPlan: clearable(openObject),
  credentialIds: clearable(z.array(z.string()).max(100)),
  hooks: clearable(z.array(openObject).max(100)),
})

/** What is wrong with a configuration, its paths below `field` if one is named. */
export function refusedConfig(config: unknown, field?: string): FieldErrors | undefined {
  const rules = field === undefined ? ConfigRules : z.object({ [field]: ConfigRules })
  const body = field === undefined ? config : { [field]: config }
  const { error } = rules.safeParse(body)
  return error ? inputError(error).options.fields : refusedParts(body, isAttached)
}
