import { z } from 'zod'
import { limits } from '../mapping/limits.ts'
import { Server } from './plans.ts'
import { address, headerValue, text, toolHeaders, within } from './validation.ts'

const flag = z.boolean().optional()
const anyObject = z.record(z.string(), z.unknown())

const name = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[a-zA-Z0-9_-]{1,${max}}$`), `must be 1 to ${max} letters, digits, underscores or dashes`)

/** Callers of a tool's server may still be given a secret in the old place. */
const server = Server.extend({ secret: headerValue.optional() }).optional()

/** What is inside a schema of parameters is the language model's to judge. */
const Parameters = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), anyObject),
  required: z.array(z.string()).optional(),
})

const Called = z.strictObject({
  name: name(64),
  strict: flag,
  description: z.string().optional(),
  parameters: Parameters.optional(),
})

const Message = z.looseObject({
  type: z.enum(['request-start', 'request-complete', 'request-failed', 'request-response-delayed']),
  content: text(1000).optional(),
})

/** What every type takes. */
const shared = {
  messages: z.array(Message).optional(),
  rejectionPlan: z.strictObject({ conditions: z.array(anyObject).optional() }).optional(),
}

const parameters = z.array(z.strictObject({ key: z.string(), value: z.unknown() })).optional()
const variableExtractionPlan = z
  .strictObject({ schema: anyObject.optional(), aliases: z.array(anyObject).optional() })
  .optional()
const destinations = z.array(z.looseObject({ type: z.string() })).optional()

const onComputer = (subType: string, called: string) => ({
  subType: z.literal(subType),
  name: z.literal(called),
  server,
})

/** Each type's own keys beyond the shared ones. */
const own: Record<string, z.core.$ZodLooseShape> = {
  apiRequest: {
    name: name(40).optional(),
    method: z.enum(['POST', 'GET', 'PUT', 'PATCH', 'DELETE']),
    url: address(),
    description: z.string().optional(),
    timeoutSeconds: within(limits.serverTimeoutSeconds).optional(),
    credentialId: z.string().optional(),
    encryptedPaths: z.array(z.string()).optional(),
    parameters,
    body: anyObject.optional(),
    headers: toolHeaders.optional(),
    backoffPlan: Server.shape.backoffPlan,
    variableExtractionPlan,
  },
  bash: { ...onComputer('bash_20241022', 'bash') },
  code: {
    async: flag,
    server,
    code: text(50_000),
    environmentVariables: z.array(anyObject).optional(),
    timeoutSeconds: within([1, 30]).optional(),
    credentialId: z.string().optional(),
    variableExtractionPlan,
    function: Called.optional(),
  },
  computer: {
    ...onComputer('computer_20241022', 'computer'),
    displayWidthPx: z.number(),
    displayHeightPx: z.number(),
    displayNumber: z.number().optional(),
  },
  dtmf: { sipInfoDtmfEnabled: flag },
  endCall: {},
  function: { async: flag, server, variableExtractionPlan, parameters, function: Called.optional() },
  'gohighlevel.calendar.availability.check': {},
  'gohighlevel.calendar.event.create': {},
  'gohighlevel.contact.create': {},
  'gohighlevel.contact.get': {},
  'google.calendar.availability.check': {},
  'google.calendar.event.create': {},
  'google.sheets.row.append': {},
  handoff: { defaultResult: z.string().optional(), destinations, function: Called.optional() },
  mcp: { server, toolMessages: z.array(anyObject).optional(), metadata: anyObject.optional() },
  query: { knowledgeBases: z.array(anyObject).optional() },
  sipRequest: {
    verb: z.enum(['INFO', 'MESSAGE', 'NOTIFY']),
    headers: toolHeaders.optional(),
    body: z.string().or(anyObject).optional(),
  },
  'slack.message.send': {},
  sms: {},
  textEditor: { ...onComputer('text_editor_20241022', 'str_replace_editor') },
  transferCall: { destinations },
  voicemail: { beepDetectionEnabled: flag },
}

const [first, ...others] = Object.entries(own).map(([type, shape]) =>
  z.strictObject({ type: z.literal(type), ...shared, ...shape }),
)
if (!first) throw new Error('A union needs an option')

/** A tool that is made on the platform, by type. */
export const Tool = z.discriminatedUnion('type', [first, ...others])
