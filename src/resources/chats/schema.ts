import { z } from 'zod'
import { deletedOf, listQuery, responseOf, walkedListOf } from '../../api/agents-envelope.ts'
import { beyond, clearable, isoTime, requiredText, shownId, text, uuidId } from '../../api/schemas.ts'

/** A thread (contract: chats 1). */
export const Chat = z
  .object({
    id: shownId,
    object: z.literal('chat'),
    title: z.string().meta({ examples: ['New chat'] }),
    model: z.string().meta({ examples: ['local-extractive'] }),
    provider: z.string(),
    last_message_at: isoTime.nullable(),
    created_at: isoTime,
  })
  .meta({ id: 'Chat', description: 'A thread of an agent, seen by the token that made it.' })

/** Ids in the path of a chat. */
export const chatPath = {
  agent_id: uuidId.meta({ description: "The agent's id." }),
  chat_id: uuidId.meta({ description: "The chat's id." }),
}

/** The `model` of a request: one of GET /models, or none for the default. */
export const modelField = clearable(text(255)).meta({ description: 'An id of GET /models.' })

export const ChatPath = z.object(chatPath)
export const ChatQuery = z.object({ agent_id: chatPath.agent_id, ...listQuery, per_page: beyond(listQuery.per_page) })
export const CreateChatInput = z.object({ agent_id: chatPath.agent_id, model: modelField })
export const UpdateChatInput = z.object({ ...chatPath, title: requiredText(255) })

export const ChatResponse = responseOf('chat', Chat)
export const ChatList = walkedListOf(Chat)
export const ChatDeleted = deletedOf('chat', shownId)
