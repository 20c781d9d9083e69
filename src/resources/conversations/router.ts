import { dataResponse, doneResponse, listResponse } from '../../api/envelope.ts'
import { del, get } from '../../api/meta.ts'
import { Done } from '../../api/schemas.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import {
  ConversationListInput,
  ConversationMessagePage,
  ConversationMessagesInput,
  ConversationPage,
  ConversationPath,
  ConversationResponse,
} from './schema.ts'
import { deleteConversation, getConversation, listConversationMessages, listConversations } from './service.ts'

const common = { tag: 'Website widget', document: 'voice', feature: 'assistants', extension: true } as const
const path = '/assistants/{assistantId}/conversations/{conversationId}'

/** What visitors of websites wrote through an assistant's widget (contract: conversations 1). */
export const conversationsRouter = router({
  list: workspaceProcedure
    .meta(get('/assistants/{assistantId}/conversations', "List the conversations of an assistant's visitors", common))
    .input(ConversationListInput)
    .output(ConversationPage)
    .query(({ ctx, input }) => listResponse(listConversations(ctx, input))),

  get: workspaceProcedure
    .meta(get(path, "Get a visitor's conversation", common))
    .input(ConversationPath)
    .output(ConversationResponse)
    .query(({ ctx, input }) => dataResponse(getConversation(ctx, input))),

  messages: workspaceProcedure
    .meta(get(`${path}/messages`, "List the messages of a visitor's conversation", common))
    .input(ConversationMessagesInput)
    .output(ConversationMessagePage)
    .query(({ ctx, input }) => listResponse(listConversationMessages(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del(path, "Delete a visitor's conversation", {
        message: 'Conversation deleted',
        ...common,
        matches: ['conversations.get'],
      }),
    )
    .input(ConversationPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, deleteConversation(ctx, input))),
})
