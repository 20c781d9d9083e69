import { z } from 'zod'
import { clearable, dataOf, integerId, isoTime, pageOf, pageQuery } from '../../api/schemas.ts'
import { importItemStates, importKinds } from './table.ts'

const voiceId = z.string().meta({ description: 'The id on the live platform.' })

const Candidate = z
  .object({
    kind: z.enum(importKinds),
    voice_id: voiceId,
    name: z.string(),
    importable: z.boolean(),
    reason: z.string().nullable().meta({ description: 'Why it cannot be imported, or only by its id.' }),
    kept: z.array(z.string()).meta({
      description: 'What the record has no field for: kept as it is, and sent back unchanged.',
    }),
  })
  .meta({ id: 'ImportCandidate', description: 'An object of the live platform that has no record.' })

const ImportItem = z.object({
  kind: z.enum(importKinds),
  voice_id: voiceId,
  name: z.string(),
  state: z.enum(importItemStates),
  resource: z.string().nullable().meta({ description: "The id in the new resource's path." }),
  reason: z.string().nullable(),
})

const Import = z
  .object({
    id: z.int().nullable().meta({ description: 'Null for a dry run, which is not kept.' }),
    state: z.enum(['running', 'finished', 'dry_run']),
    workspace_id: z.int(),
    total: z.int(),
    adopted: z.int(),
    refused: z.int(),
    pending: z.int(),
    error: z.string().nullable().meta({ description: 'Why the last try did not end; it is tried again.' }),
    created_at: isoTime.nullable(),
    finished_at: isoTime.nullable(),
    items: z.array(ImportItem).meta({ description: 'At most a thousand: refused and pending ones first.' }),
  })
  .meta({ id: 'Import', description: 'How far an import is.' })
export type ImportRecord = z.input<typeof Import>

export const CandidateQuery = pageQuery.extend({ kind: z.enum(importKinds).optional() })
export const CandidatePage = pageOf(Candidate)
export type CandidateRecord = z.input<typeof Candidate>

export const ImportInput = z
  .object({
    ids: clearable(z.array(z.string().max(64)).min(1).max(1000)).meta({ description: 'Ids on the live platform.' }),
    all: clearable(z.boolean()).meta({ description: 'Everything that can be imported.' }),
    workspace_id: clearable(integerId).meta({ description: "Whose they become; the caller's own unless given." }),
    dry_run: clearable(z.boolean()).meta({ description: 'Says what would be done, and does nothing.' }),
  })
  .refine(({ ids, all }) => (ids != null) !== (all === true), {
    path: ['ids'],
    message: 'Either ids or all is required.',
  })
export const ImportPath = z.object({ id: integerId })
export const ImportResponse = dataOf(Import)
