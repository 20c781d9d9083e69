import { z } from 'zod'
import { boundedRecord } from '../../api/bounded-record.ts'
import type { ResponseFormat } from '../../language-model/formats.ts'
import { faultIn } from '../../language-model/json-schema-fault.ts'
import type { UsableModel } from '../../language-model/models.ts'
import type { ReplyWish } from '../messages/store.ts'

const optional = <T extends z.ZodType>(schema: T, description: string) =>
  schema.nullable().optional().meta({ description })

const maxSchemaCharacters = 50_000

/** What is wrong with a schema, whatever a model responds; undefined: nothing. */
const wrongWith = (schema: Record<string, unknown>) =>
  JSON.stringify(schema).length > maxSchemaCharacters ? 'The schema is too large.' : faultIn(schema)

const JsonSchemaFormat = z.object({
  type: z.literal('json_schema'),
  json_schema: z.object({
    name: z.string().min(1).max(64),
    description: z.string().max(1000).optional(),
    strict: z.boolean().nullable().optional(),
    schema: z.record(z.string(), z.unknown()).superRefine((schema, { addIssue }) => {
      const message = wrongWith(schema)
      if (message) addIssue({ code: 'custom', message })
    }),
  }),
})

const Format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  JsonSchemaFormat,
])

const tokens = z.int().min(1).max(1_000_000)
const penalty = z.number().min(-2).max(2)
const stopText = z.string().min(1).max(200)
const pairs = boundedRecord(16, z.string().max(64), z.string().max(512), 'At most 16 pairs.')

/** Parameters of the chat-completions format beyond the contract's that change the response. */
export const honoured = {
  max_tokens: optional(tokens, 'The most tokens of the response; also the most that is set aside for it.'),
  max_completion_tokens: optional(tokens, 'The same as `max_tokens`, which it goes before.'),
  temperature: optional(z.number().min(0).max(2), 'How freely the model chooses its words.'),
  top_p: optional(z.number().min(0).max(1), 'The share of likely words that it chooses from.'),
  stop: optional(z.union([stopText, z.array(stopText).max(4)]), 'The response ends before these texts.'),
  seed: optional(z.int(), 'Asks for the same response to the same request.'),
  presence_penalty: optional(penalty, 'Above 0: fewer words that were said already.'),
  frequency_penalty: optional(penalty, 'Above 0: fewer words that were said often.'),
  response_format: optional(Format, 'JSON, checked before it is returned. `pattern` and `format` are not looked at.'),
  user: optional(z.string().max(512), 'Who your user is; told to the server of the model.'),
  metadata: optional(pairs, 'Returned with the response.'),
}

const ignoredNames = [
  ...['audio', 'function_call', 'functions', 'logit_bias', 'logprobs', 'modalities', 'moderation', 'n'],
  ...['parallel_tool_calls', 'prediction', 'prompt_cache_key', 'prompt_cache_retention', 'reasoning_effort'],
  ...['safety_identifier', 'service_tier', 'store', 'stream_options', 'tool_choice', 'tools', 'top_logprobs'],
  ...['verbosity', 'web_search_options'],
] as const

/**
 * Parameters of the format that do nothing, as all others do that are not described; the response names those that were
 * sent.
 */
export const ignored = Object.fromEntries(
  ignoredNames.map((name) => [name, z.unknown().optional().meta({ description: 'Accepted, without effect.' })]),
) as Record<(typeof ignoredNames)[number], z.ZodOptional<z.ZodUnknown>>

type Honoured = z.output<z.ZodObject<typeof honoured>>

/** The parameters of the contract, and those that a model has no use for which chooses no words. */
const contracts = ['model', 'messages', 'agent', 'chat', 'stream'] as const
const ofSampling = ['temperature', 'top_p', 'seed', 'presence_penalty', 'frequency_penalty', 'user'] as const
const heard: ReadonlySet<string> = new Set([...contracts, ...Object.keys(honoured)])
const heardOfMessages: ReadonlySet<string> = new Set(['role', 'content'])

/** Values that ask for nothing but what is done anyway. */
const idle = (name: string, value: unknown) =>
  value === undefined ||
  value === null ||
  value === false ||
  (name === 'n' && value === 1) ||
  (name.endsWith('_penalty') && value === 0) ||
  (Array.isArray(value) && value.length === 0)

/** How many a response names, and the names that it says: a header can hold them. */
const maxNamed = 20
const isPlain = (name: string) => /^\w[\w.-]{0,63}$/.test(name)
/** Stands for those that are not named. */
const others = '...'

const unheard = (sent: object, heard: ReadonlySet<string>) =>
  Object.entries(sent).flatMap(([name, value]) => (heard.has(name) || idle(name, value) ? [] : [name]))

/**
 * The names of parameters that were sent and have no effect: those that nobody reads, also of messages, and those that
 * say how a model chooses its words where it chooses none.
 */
export function ignoredIn(
  input: Record<string, unknown> & { messages: readonly object[] },
  { samples = true }: Pick<UsableModel, 'samples'>,
): string[] {
  const ofMessages = new Set(input.messages.flatMap((message) => unheard(message, heardOfMessages)))
  const names = [
    ...unheard(input, heard),
    ...(samples ? [] : ofSampling.filter((name) => !idle(name, input[name]))),
    ...[...ofMessages].map((name) => `messages.${name}`),
  ]
  const named = names.filter(isPlain).sort().slice(0, maxNamed)
  return named.length < names.length ? [...named, others] : named
}

/** What the response says of each. */
export const warningOf = (name: string): string =>
  name === others ? 'Other parameters have no effect here.' : `${name} has no effect here.`

function formatOf(format: Honoured['response_format']): ResponseFormat | undefined {
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object') return format
  const { name, schema } = format.json_schema
  return { type: 'json_schema', name, schema }
}

/** What the parameters ask of the reply; undefined where they ask nothing. */
export function wishOf(input: Honoured): ReplyWish | undefined {
  const stops = [input.stop ?? []].flat()
  const sampling = {
    ...(input.temperature != null && { temperature: input.temperature }),
    ...(input.top_p != null && { topP: input.top_p }),
    // Some servers refuse an empty list.
    ...(stops.length > 0 && { stopSequences: stops }),
    ...(input.seed != null && { seed: input.seed }),
    ...(input.presence_penalty != null && { presencePenalty: input.presence_penalty }),
    ...(input.frequency_penalty != null && { frequencyPenalty: input.frequency_penalty }),
    ...(input.user != null && { user: input.user }),
  }
  const wish: ReplyWish = {
    maxOutputTokens: input.max_completion_tokens ?? input.max_tokens ?? undefined,
    ...(Object.keys(sampling).length > 0 && { sampling }),
    format: formatOf(input.response_format),
    metadata: input.metadata ?? undefined,
  }
  return Object.values(wish).some((value) => value !== undefined) ? wish : undefined
}
