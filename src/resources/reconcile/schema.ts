import { z } from 'zod'
import { requiredError } from '../../api/schemas.ts'

/** Which side a record and its live object keep. */
export const Keep = z.enum(['ours', 'theirs', 'merge'], { error: requiredError }).meta({
  description:
    '`ours`: the live object is told what the record says; `theirs`: the record becomes what the live object is; `merge`: both, leaf by leaf.',
})
export type Keep = z.output<typeof Keep>

/** The response of bringing a record and its live object together. */
export const reconciledOf = <Record extends z.ZodType>(record: Record) =>
  z.object({
    success: z.literal(true),
    message: z.string(),
    data: record
      .nullable()
      .meta({ description: 'Null when the live platform had lost it and the record was deleted.' }),
  })
