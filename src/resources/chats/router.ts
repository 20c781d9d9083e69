import { deletedResponse, objectResponse, pageResponse } from '../../api/agents-envelope.ts'
import { del, get, patch, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { outOfFundsErrors } from '../billing/spend.ts'
import { ChatDeleted, ChatList, ChatPath, ChatQuery, ChatResponse, CreateChatInput, UpdateChatInput } from './schema.ts'
import { createChat, deleteChat, getChat, listChats, updateChat } from './service.ts'

const common = { tag: 'Chats', document: 'agents', feature: 'ai_chat' } as const
const matches = ['chats.get']
const errors = ['agent_mcp_denied'] as const

/** Threads of an agent (contract: chats 1). */
export const chatsRouter = router({
  list: workspaceProcedure
    .meta(get('/agents/{agent_id}/chats', "List the token's chats", { ...common, errors: [...errors] }))
    .input(ChatQuery)
    .output(ChatList)
    .query(({ ctx, input }) => pageResponse(listChats(ctx, input))),

  create: workspaceProcedure
    .meta(
      post('/agents/{agent_id}/chats', 'Start a chat', {
        example: { request: {} },
        ...common,
        status: 201,
        errors: [...errors, ...outOfFundsErrors],
      }),
    )
    .input(CreateChatInput)
    .output(ChatResponse)
    .mutation(({ ctx, input }) => objectResponse('chat', createChat(ctx, input))),

  get: workspaceProcedure
    .meta(get('/agents/{agent_id}/chats/{chat_id}', 'Get a chat', { ...common, errors: [...errors] }))
    .input(ChatPath)
    .output(ChatResponse)
    .query(({ ctx, input }) => objectResponse('chat', getChat(ctx, input))),

  update: workspaceProcedure
    .meta(
      patch('/agents/{agent_id}/chats/{chat_id}', 'Give a chat a title', {
        example: { request: { title: 'Opening hours' } },
        ...common,
        also: ['PUT'],
        matches,
        errors: [...errors],
      }),
    )
    .input(UpdateChatInput)
    .output(ChatResponse)
    .mutation(({ ctx, input }) => objectResponse('chat', updateChat(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del('/agents/{agent_id}/chats/{chat_id}', 'Delete a chat', {
        ...common,
        matches,
        errors: [...errors],
      }),
    )
    .input(ChatPath)
    .output(ChatDeleted)
    .mutation(({ ctx, input }) => deletedResponse('chat', deleteChat(ctx, input))),
})
