import { z } from 'zod'
import { listOf } from '../../api/agents-envelope.ts'
import { nameId } from '../../api/schemas.ts'

/** A usable language model (contract: models 1). */
export const Model = z
  .object({
    id: z.string().meta({ examples: ['local-extractive'] }),
    object: z.literal('model'),
    owned_by: z.string(),
    label: z.string(),
    available: z.boolean().meta({ description: 'False where billing is on and the model has no price.' }),
  })
  .meta({ id: 'Model', description: 'A language model that `model` can name.' })

export const ModelList = listOf(Model)

export const ModelPath = z.object({
  model: nameId(255).meta({ examples: ['local-extractive'] }),
})
