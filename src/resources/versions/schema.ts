import { z } from 'zod'
import { compiled } from '../../api/schema-compiler/compiled-schema.ts'
import { dataOf, integerId, isoTime, pageOf, pageQuery, uuidId } from '../../api/schemas.ts'
import { Assistant } from '../assistants/schema.ts'
import { openObject } from '../assistants/write/schema.ts'
import { versionActions, versionSources } from '../history/table.ts'

const name = z.union([z.string(), z.array(z.string())]).optional()

const VersionChange = z.object({
  path: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  diff: z
    .array(z.string())
    .optional()
    .meta({ description: 'Extension: the lines of a long text that differ, marked `-` and `+`.' }),
  from_name: name.meta({ description: 'Extension: what the id led to.' }),
  to_name: name.meta({ description: 'Extension: what the id leads to.' }),
})

/** An entry of an assistant's history (contract: versions 3). */
export const Version = z
  .object({
    id: z.int(),
    action: z.enum(versionActions),
    source: z.enum(versionSources).meta({ description: 'The editor that made the change.' }),
    actor: z.object({ id: z.int(), name: z.string() }),
    changes: z.array(VersionChange).meta({
      description: 'What changed, leaf by leaf; secrets are masked.',
    }),
    summary: z.string(),
    is_current: z.boolean(),
    restorable: z.boolean().meta({ description: 'Whether the entry holds a configuration.' }),
    restored_from: z.int().nullable().meta({ description: 'The entry that a restore went back to.' }),
    created_at: isoTime,
  })
  .meta({ id: 'Version' })

export const VersionListInput = pageQuery.extend({ assistantId: uuidId })
export const VersionInput = z.object({ assistantId: uuidId, entryId: integerId })
export const VersionPage = pageOf(Version)
export const VersionResponse = dataOf(
  Version.extend({ configuration: openObject.nullable() }).meta({ id: 'VersionWithConfiguration' }),
)

const LeftOutObject = z.object({ kind: z.string(), id: z.string() })

/** What a restore responds with; `left_out` only when something was. */
export const RestoredResponse = compiled(
  z.object({
    success: z.literal(true),
    message: z.string(),
    data: Assistant,
    left_out: z.array(LeftOutObject).optional().meta({
      description: 'Extension: tools and other objects of the voice platform that the workspace has no more.',
    }),
  }),
)

const ComparedEntry = z.object({ id: z.int(), created_at: isoTime })

export const CompareInput = z.object({ assistantId: uuidId, entryId: integerId, otherId: integerId })

/** What differs between two entries. */
export const CompareResponse = dataOf(
  z
    .object({
      from: ComparedEntry,
      to: ComparedEntry,
      changes: z.array(VersionChange.extend({ summary: z.string().meta({ description: 'One sentence.' }) })),
    })
    .meta({ id: 'VersionComparison' }),
)
