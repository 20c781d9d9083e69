import { z } from 'zod'
import { pagedListOf } from '../../api/agents-envelope.ts'
import { isoTime, perPage, requiredText } from '../../api/schemas.ts'
import { chatPath, modelField } from '../chats/schema.ts'
import { messageRoles } from './table.ts'

/** Tokens that a turn took. */
export const Usage = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .meta({ id: 'TokenUsage' })

/** A message of a thread (contract: chats 8). */
export const Message = z
  .object({
    id: z.int(),
    object: z.literal('message'),
    role: z
      .enum(messageRoles)
      .meta({ description: '`system`: a preamble turn of a stateless completion.', examples: ['user'] }),
    content: z.string().meta({ examples: ['When do you open on Sundays?'] }),
    model: z
      .string()
      .nullable()
      .meta({ description: 'The model that wrote it; null on user messages.', examples: [null] }),
    created_at: isoTime,
  })
  .meta({ id: 'Message' })

const ToolUse = z
  .object({
    name: z.string(),
    arguments: z.string().meta({ description: 'As JSON, up to 1,000 characters.' }),
    result: z.string().meta({ description: 'What the tool gave, or why it failed, up to 2,000 characters.' }),
    failed: z.boolean(),
  })
  .meta({ id: 'ToolUse' })

const Citation = z.object({ file: z.string(), heading: z.string().nullable() }).meta({ id: 'Citation' })

/** A message of a list; a reply has its sources where they are asked for (contract: chats 17). */
export const ListedMessage = Message.extend({
  tool_uses: z.array(ToolUse).optional().meta({ 'x-extension': true }),
  citations: z.array(Citation).optional().meta({ 'x-extension': true }),
}).meta({ id: 'ListedMessage' })

const GeneratedMessage = Message.extend({ usage: Usage }).meta({ id: 'GeneratedMessage' })

/** What the payer's wallet says after a turn (contract: billing 5). */
export const WalletState = z
  .object({
    balance_tokens: z.int().nullable(),
    balance_usd: z.number().nullable(),
    charged_tokens: z.int().nullable(),
    charged_usd: z.number().nullable(),
  })
  .meta({ id: 'WalletState', description: 'Fields of the currency that the wallet does not have are null.' })

export const MessageQuery = z.object({
  ...chatPath,
  per_page: perPage(50),
  before_id: z
    .int()
    .transform((id) => Math.max(0, id))
    .nullable()
    .optional()
    .meta({ description: 'Only messages with a lower id: pass the id of the first one of the previous response.' }),
  include: z.enum(['sources']).optional().meta({
    description: '`sources`: replies have `tool_uses`, what tools gave, and `citations`, the files that they name.',
    'x-extension': true,
  }),
})

export const SendMessageInput = z.object({
  ...chatPath,
  content: requiredText(20_000).meta({ examples: ['When do you open on Sundays?'] }),
  model: modelField,
})

export const MessageList = pagedListOf(ListedMessage)

export const SentMessage = z.object({
  object: z.literal('message'),
  data: z.object({ user_message: Message, assistant_message: GeneratedMessage }),
  model: z.string().meta({ examples: ['local-extractive'] }),
  tools_used: z.array(z.string()),
  wallet: WalletState.nullable().meta({ description: 'Null when billing is off.' }),
})

/** The events of a reply while it is written, and at last the stored turn. */
export const MessageEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('delta'), text: z.string() }),
    z.object({ type: z.literal('restart') }),
    z.object({ type: z.literal('message'), message: SentMessage }),
  ])
  .meta({ id: 'MessageEvent' })
