import { z } from 'zod'
import { dataOf, isoTime, shownId } from '../../api/schemas.ts'

const part = (kinds: readonly [string, ...string[]]) => z.object({ kind: z.enum(kinds), working: z.boolean() })

/** What an installation is made of, and what a workspace has (contract: profile 13). */
export const Overview = z
  .object({
    parts: z
      .object({
        database: part(['embedded', 'postgresql']),
        voice_platform: part(['embedded', 'live']),
        language_model: part(['built-in', 'configured']).extend({ id: z.string() }),
        embedder: part(['built-in', 'configured']).extend({ id: z.string() }),
        carrier: part(['embedded', 'twilio']),
      })
      .meta({ description: 'A part does not work when its last calls, or its last call, failed.' }),
    counts: z.object({
      assistants: z.int(),
      phone_numbers: z.int(),
      squads: z.int(),
      agents: z.int().meta({ description: "The caller's own." }),
      users: z.int(),
    }),
    today: z
      .object({
        calls: z.int().nullable().meta({ description: 'Null while the voice platform does not respond.' }),
        turns: z.int().meta({ description: "Replies of agents to the workspace's tokens." }),
        spent_usd: z.number().nullable(),
        spent_tokens: z.int().nullable(),
      })
      .meta({
        description: "Since midnight, UTC. Money of a currency that the workspace's balance does not have is null.",
      }),
    failures: z
      .array(
        z.object({
          delivery_id: shownId,
          assistant_id: shownId,
          assistant_name: z.string(),
          type: z.string(),
          reason: z.string().nullable(),
          at: isoTime,
        }),
      )
      .meta({ description: 'Webhooks that were given up lately, newest first, at most ten.' }),
  })
  .meta({
    id: 'Overview',
    description:
      'How a workspace and its installation are doing. What belongs to a feature that the caller may not read is 0, null or empty.',
  })

export const OverviewResponse = dataOf(Overview)
