import { z } from 'zod'
import { requiredText } from '../../api/schemas.ts'

/** How long a visitor's message may be, in code points. */
export const messageLimit = 4000

export const WidgetMessage = z.object({
  public_key: z
    .string()
    .regex(/^pk_[0-9a-f]{32}$/)
    .meta({ examples: ['pk_0123456789abcdef0123456789abcdef'] }),
  message: requiredText(messageLimit).meta({ examples: ['When are you open?'] }),
  session_id: z
    .string()
    .nullable()
    .optional()
    .meta({
      description:
        'The `session_id` of the last response. One that has ended, or that another key was given, starts a new conversation.',
      examples: [null],
    }),
})

export const WidgetReply = z.object({
  session_id: z.string().meta({
    description: 'Goes on with this conversation.',
    examples: ['ws_Zk3v0Jr8m2'],
  }),
  reply: z.string().meta({ examples: ['We are open from 8 to 18 on weekdays.'] }),
})

/** What a visitor is given. */
export type VisitorReply = z.input<typeof WidgetReply>
