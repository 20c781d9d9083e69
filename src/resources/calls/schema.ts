import { z } from 'zod'
import { dataOf, isoTime, pageOf, pageQuery, text, uuidId } from '../../api/schemas.ts'
import { maxScenarioLength, scenarios } from '../../voice-platform/simulation.ts'
import { PhoneNumberPath } from '../phone-numbers/schema.ts'
import { SquadPath } from '../squads/schema.ts'

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

const maxLine = 4000
const words = text(maxLine)

/** A line of the caller; what is no message is judged as the text that it stands for. */
const line = z.union(
  [words, z.object({ role: z.literal('user'), content: words }).transform(({ content }) => content)],
  {
    error: ({ input, path }) => {
      const rule = typeof input === 'string' ? `must have at most ${maxLine} characters.` : 'must be a string.'
      return `The ${path?.map(String).join('.')} field ${rule}`
    },
  },
)

const caller = {
  messages: z
    .array(line)
    .max(50)
    .optional()
    .meta({ description: 'What the caller says, one after the other. Without it the caller follows the scenario.' }),
  scenario: text(maxScenarioLength)
    .optional()
    .meta({
      description: `The caller that is simulated: one of ${scenarios.map((name) => `\`${name}\``).join(', ')}. Default \`question\`. With a language model also who calls and what for, in your words: the model plays the caller.`,
    }),
}

export const TestCallInput = z.object({ assistantId: uuidId, ...caller })
export const SquadTestCallInput = SquadPath.extend(caller)
export const NumberTestCallInput = PhoneNumberPath.extend(caller)
