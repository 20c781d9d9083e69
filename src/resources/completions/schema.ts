import { z } from 'zod'
import { clearable, requiredError, saidText, shownId, text } from '../../api/schemas.ts'
import { modelField } from '../chats/schema.ts'
import { Usage } from '../messages/schema.ts'
import { messageRoles } from '../messages/table.ts'
import { honoured, ignored } from './parameters.ts'

/** A reply may be sent back as it was given, also one without a word (contract: completions 15). */
const InputMessage = z
  .looseObject({
    role: z.enum(messageRoles, { error: requiredError }),
    content: saidText(20_000).meta({
      description: 'Only that of an `assistant` may be empty.',
      examples: ['When do you open on Sundays?'],
    }),
  })
  .check(({ value: { role, content }, issues }) => {
    if (role === 'assistant' || content.trim() !== '') return
    issues.push({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, input: content, path: ['content'] })
  })

/** Far more than any model reads. */
const maxMessages = 2000

/** The body of POST /chat/completions (contract: completions 1). */
export const CompletionInput = z.looseObject({
  model: modelField,
  messages: z
    .array(InputMessage, { error: requiredError })
    .min(1)
    .max(maxMessages)
    .meta({
      description: 'One of them at least has the role `user`.',
      examples: [[{ role: 'user', content: 'When do you open on Sundays?' }]],
    }),
  agent: clearable(text(64)).meta({
    description: "An agent's id. Default: the most recently active of your own agents.",
  }),
  chat: clearable(text(64)).meta({
    description: "A chat's id: continues that thread, and only the newest user message is sent.",
  }),
  ...honoured,
  ...ignored,
  stream: z
    .boolean()
    .nullable()
    .optional()
    .refine((stream) => stream !== true)
    .meta({ description: 'Streaming is not supported: true is refused.' }),
})

/** A completion (contract: completions 4). */
export const Completion = z
  .object({
    id: z.string().meta({ examples: ['chatcmpl-3f0c8a527d1e4b6a9c245e8f1a2b3c4d'] }),
    object: z.literal('chat.completion'),
    created: z.int().meta({ description: 'Unix time.', examples: [1769851800] }),
    model: z.string().meta({ examples: ['local-extractive'] }),
    choices: z.array(
      z.object({
        index: z.int().meta({ examples: [0] }),
        message: z.object({ role: z.literal('assistant'), content: z.string() }),
        finish_reason: z.enum(['stop', 'length', 'content_filter']),
      }),
    ),
    usage: Usage,
    service: z
      .object({ agent: shownId, chat: shownId, tools_used: z.array(z.string()) })
      .meta({ description: 'Which agent replied, and in which thread.' }),
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'The pairs of the request; absent where it had none. An extension.' }),
    warnings: z
      .array(z.string())
      .optional()
      .meta({ description: 'Which parameters had no effect; absent where all had one. An extension.' }),
  })
  .meta({ id: 'Completion' })
