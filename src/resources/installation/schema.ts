import { z } from 'zod'
import { dataOf } from '../../api/schemas.ts'

const rows = z.int().nullable()

const Work = z.object({
  name: z.string(),
  running: z.boolean().meta({ description: 'Whether the instance that responds is at work on it.' }),
  due_in_seconds: z.int().nullable().meta({
    description: 'When the next of it is due: negative when it is late, null when nothing waits.',
  }),
  due: rows.meta({ description: 'Due now; null, like the other numbers, where it is not counted.' }),
  waiting: rows.meta({ description: 'Due later, such as after a pause.' }),
  claimed: rows.meta({ description: 'Held by an instance.' }),
  failing: rows.meta({ description: 'Still open after a failed try.' }),
  dead: rows.meta({ description: 'Given up.' }),
  last_error: z.string().nullable(),
})

export const Installation = z
  .object({
    version: z.string(),
    ready: z.boolean(),
    reason: z.string().nullable().meta({ description: 'Why requests are not served.' }),
    voice_platform: z.string(),
    database: z.object({
      kind: z.enum(['embedded', 'postgresql']),
      migrations: z.object({
        applied: z.int(),
        pending: z.int().meta({ description: 'Of this version, still to come.' }),
        unknown: z.int().meta({ description: 'Applied by a newer version than this one.' }),
      }),
    }),
    work: z.array(Work).meta({ description: 'Background work, by its kind.' }),
  })
  .meta({ id: 'Installation', description: 'The version of a server, its upgrade, and its background work.' })

export const InstallationResponse = dataOf(Installation)
