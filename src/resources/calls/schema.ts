import { z } from 'zod'
import { dataOf, isoTime, pageOf, pageQuery, text, uuidId } from '../../api/schemas.ts'
import { scenarios } from '../../voice-platform/simulation.ts'

/** A call as the live platform has it (contract: calls 1). */
export const Call = z
  .object({
    id: z.string(),
    type: z
      .string()
      .nullable()
      .meta({ examples: ['inboundPhoneCall', 'webCall'] }),
    status: z
      .string()
      .nullable()
      .meta({ examples: ['ended'] }),
    started_at: isoTime.nullable(),
    ended_at: isoTime.nullable(),
    duration_seconds: z.number().nullable(),
    ended_reason: z
      .string()
      .nullable()
      .meta({ examples: ['customer-ended-call'] }),
    cost: z.number().nullable().meta({ description: 'In US dollars.' }),
    summary: z.string().nullable(),
    transcript: z.string().nullable(),
  })
  .meta({ id: 'Call' })

export const CallListInput = pageQuery.extend({ assistantId: uuidId })
export const CallPage = pageOf(Call)
export const CallResponse = dataOf(Call)

const words = text(4000)

export const TestCallInput = z.object({
  assistantId: uuidId,
  messages: z
    .array(words.or(z.object({ role: z.literal('user'), content: words }).transform(({ content }) => content)))
    .max(50)
    .optional()
    .meta({ description: 'What the caller says, one after the other. Without it the caller follows the scenario.' }),
  scenario: z.enum(scenarios).optional().meta({ description: 'The caller that is simulated. Default `question`.' }),
})
