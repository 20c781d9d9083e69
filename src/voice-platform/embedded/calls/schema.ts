import { z } from 'zod'
import { AssistantFields } from '../../schema/assistant.ts'
import { text } from '../../schema/validation.ts'
import { isScenario, maxScenarioLength, scenarios } from '../../simulation.ts'

const id = z.guid('must be a UUID').optional()

const Customer = z
  .strictObject({
    number: text(40, 3),
    name: text(40),
    email: text(40),
    externalId: text(40),
    extension: text(10, 1),
    sipUri: z.string(),
    numberE164CheckEnabled: z.boolean(),
  })
  .partial()

/** What a call, or whoever decides who answers it, changes of an assistant. */
export const CallOverrides = AssistantFields.extend({ variableValues: z.record(z.string(), z.unknown()).optional() })

/** The body of POST /call. Workflows, schedules and several customers are not simulated. */
export const CreateCall = z.strictObject({
  name: text(40).optional(),
  assistantId: id,
  assistant: AssistantFields.optional(),
  assistantOverrides: CallOverrides.optional(),
  squadId: id,
  phoneNumberId: id,
  customer: Customer.optional(),
})

/**
 * The body of POST /simulation/calls: a number's caller, or one from the web, who speaks as told. `plays`: a scenario
 * may be in words, which a language model plays.
 */
export const simulateCall = (plays: boolean) =>
  z.strictObject({
    id,
    assistantId: id,
    squadId: id,
    phoneNumberId: id,
    messages: z.array(text(4000)).max(50).optional(),
    scenario: text(maxScenarioLength)
      .refine(
        (scenario) => plays || isScenario(scenario),
        `must be one of the following values: ${scenarios.join(', ')}`,
      )
      .optional(),
    asker: z.strictObject({ userId: z.number(), tokenId: z.number() }).optional(),
  })
