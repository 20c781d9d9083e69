import { z } from 'zod'
import { dataOf, isoTime, pageOf, pageQuery, text } from '../../api/schemas.ts'
import { driftDifferences, driftResolutions, driftStates } from '../../voice-platform/drift/table.ts'

export const driftKinds = ['assistant', 'squad', 'phone_number', 'tool'] as const

const DriftLeaf = z.object({
  path: z.string().meta({ description: 'The way to the value in the live object.', examples: ['voice.voiceId'] }),
  base: z.unknown().optional().meta({ description: 'What both sides last agreed on; absent where there was nothing.' }),
  ours: z.unknown().optional().meta({ description: 'What the record says.' }),
  theirs: z.unknown().optional().meta({ description: 'What the live platform has.' }),
})

export const Drift = z
  .object({
    id: z.int(),
    kind: z.enum(driftKinds),
    difference: z.enum(driftDifferences).meta({
      description:
        '`changed`: the live object was changed outside; `missing`: the platform lost it; `unmanaged`: it is only there.',
    }),
    resource: z
      .string()
      .nullable()
      .meta({ description: "The id in the resource's path; null for an object that has no record." }),
    name: z.string(),
    voice_id: z.string().meta({ description: 'The id on the live platform.' }),
    leaves: z.array(DriftLeaf).meta({
      description:
        'The values that differ; secrets are masked. Provider and model of an engine are shown to operators alone, so that others may see none.',
    }),
    state: z.enum(driftStates),
    resolution: z.enum(driftResolutions).nullable().meta({
      description: 'How it ended; `vanished`: both sides were equal again. Null while it is open.',
    }),
    found_at: isoTime,
    changed_at: isoTime,
    resolved_at: isoTime.nullable(),
  })
  .meta({ id: 'Drift', description: 'A difference between a record and its live object that was made outside.' })

export const DriftQuery = pageQuery.extend({
  kind: z.enum(driftKinds).optional(),
  resource: text(64).optional().meta({ description: "The id in the resource's path, or its id on the live platform." }),
  difference: z.enum(driftDifferences).optional(),
  state: z.enum(driftStates).default('open'),
})

export const DriftPage = pageOf(Drift)

const DriftScan = z
  .object({
    state: z.enum(['waiting', 'running', 'finished', 'never']),
    checked: z.int().meta({ description: 'Live objects that were looked at so far.' }),
    started_at: isoTime.nullable(),
    finished_at: isoTime.nullable(),
    error: z.string().nullable().meta({ description: 'Why the last attempt did not end; it is tried again.' }),
  })
  .meta({ id: 'DriftScan', description: 'How far the sweep for drift is.' })

export const DriftScanResponse = dataOf(DriftScan)
