import { z } from 'zod'
import { dataOf, isoTime, pageOf, pageQuery, shownId, uuidId } from '../../api/schemas.ts'
import { conversationRoles } from './table.ts'

/** A conversation of a website's visitor (contract: conversations 1). */
export const Conversation = z
  .object({
    id: shownId,
    subject: z.string().meta({ description: "The visitor's first message, cut.", examples: ['When are you open?'] }),
    origin: z
      .string()
      .nullable()
      .meta({ description: 'The site that the visitor wrote from.', examples: ['https://example.com'] }),
    messages_count: z.int(),
    created_at: isoTime,
    last_message_at: isoTime,
  })
  .meta({ id: 'Conversation' })

export const ConversationMessage = z
  .object({
    id: z.int(),
    role: z.enum(conversationRoles),
    content: z.string().meta({ examples: ['When are you open?'] }),
    created_at: isoTime,
  })
  .meta({ id: 'ConversationMessage' })

export const ConversationListInput = pageQuery.extend({ assistantId: uuidId })
export const ConversationPath = z.object({ assistantId: uuidId, conversationId: uuidId })
export const ConversationMessagesInput = pageQuery.extend(ConversationPath.shape)

export const ConversationPage = pageOf(Conversation)
export const ConversationResponse = dataOf(Conversation)
export const ConversationMessagePage = pageOf(ConversationMessage)
