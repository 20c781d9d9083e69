import { z } from 'zod'
import { limits, messageRoles, modelsWithoutMaxTokens } from '../mapping/limits.ts'
import { address, byProvider, headers, within } from './validation.ts'

const Message = z.strictObject({ role: z.enum(messageRoles), content: z.string().nullable() })

/** What every model provider takes. */
const shared = {
  messages: z.array(Message).optional(),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
  toolIds: z.array(z.string()).optional(),
  toolRefs: z.array(z.record(z.string(), z.unknown())).optional(),
  knowledgeBase: z.record(z.string(), z.unknown()).optional(),
  temperature: within(limits.temperature).optional(),
  emotionRecognitionEnabled: z.boolean().optional(),
  numFastTurns: z.number().min(0).optional(),
}

const thinking = z.strictObject({ type: z.literal('enabled'), budgetTokens: within([1024, 100_000]) }).optional()

/** Each provider's own keys beyond the shared ones; which models exist is not checked. */
const own: Record<string, z.core.$ZodLooseShape> = {
  anthropic: { thinking },
  'anthropic-bedrock': { thinking },
  anyscale: {},
  cerebras: {},
  'custom-llm': {
    url: address(),
    metadataSendMode: z.enum(['off', 'variable', 'destructured']).optional(),
    headers: headers.optional(),
    wordLevelConfidenceEnabled: z.boolean().optional(),
    timeoutSeconds: within([0, 300]).optional(),
  },
  deepinfra: {},
  'deep-seek': {},
  google: { realtimeConfig: z.record(z.string(), z.unknown()).optional() },
  groq: {},
  'inflection-ai': {},
  minimax: {},
  openai: {
    fallbackModels: z.array(z.string()).optional(),
    toolStrictCompatibilityMode: z
      .enum(['strip-parameters-with-unsupported-validation', 'strip-unsupported-validation'])
      .optional(),
    promptCacheRetention: z.enum(['in_memory', '24h']).optional(),
    promptCacheKey: z.string().max(64).optional(),
    reasoningEffort: z.enum(['minimal', 'none', 'low', 'medium', 'high', 'xhigh']).optional(),
  },
  openrouter: {},
  'perplexity-ai': {},
  'together-ai': {},
  vapi: {
    model: z.string().optional(),
    version: z.enum(['latest', '1']).optional(),
    workflowId: z.string().optional(),
    workflow: z.record(z.string(), z.unknown()).optional(),
  },
  xai: {},
}

const variants = Object.entries(own).map(([provider, shape]) =>
  z.strictObject({
    provider: z.literal(provider),
    model: z.string(),
    ...(modelsWithoutMaxTokens.has(provider) ? {} : { maxTokens: within(limits.maxTokens).optional() }),
    ...shared,
    ...shape,
  }),
)

/** The language model, by provider. */
export const Model = byProvider(variants)
