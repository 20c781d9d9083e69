import { pageResponse } from '../../api/agents-envelope.ts'
import { get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { spendingErrors } from '../billing/spend.ts'
import { listMessages } from './list.ts'
import { requireTurn } from './repeats.ts'
import { MessageEvent, MessageList, MessageQuery, SendMessageInput, SentMessage } from './schema.ts'
import { sendMessage, streamMessage } from './send.ts'

const common = { tag: 'Messages', document: 'agents', feature: 'ai_chat' } as const

/** Messages of a chat (contract: chats 8). */
export const messagesRouter = router({
  list: workspaceProcedure
    .meta(
      get('/agents/{agent_id}/chats/{chat_id}/messages', 'List messages, oldest first', {
        ...common,
        errors: ['agent_mcp_denied'],
      }),
    )
    .input(MessageQuery)
    .output(MessageList)
    .query(({ ctx, input }) => pageResponse(listMessages(ctx, input))),

  send: workspaceProcedure
    .meta(
      post('/agents/{agent_id}/chats/{chat_id}/messages', 'Send a message and get the reply', {
        example: {
          response: {
            data: {
              assistant_message: {
                id: 2,
                role: 'assistant',
                content: 'We open at ten on Sundays.',
                model: 'local-extractive',
              },
            },
          },
        },
        ...common,
        rate: 'turn',
        status: 201,
        streams: true,
        beforeReplay: requireTurn,
        errors: ['agent_mcp_denied', ...spendingErrors, 'generation_failed'],
      }),
    )
    .input(SendMessageInput)
    .output(SentMessage)
    .mutation(({ ctx, input }) => sendMessage(ctx, input)),

  stream: workspaceProcedure
    .meta({
      ...common,
      ids: { agent_id: 'agent_not_found', chat_id: 'chat_not_found' },
      rate: 'turn',
      events: MessageEvent,
      beforeReplay: requireTurn,
    })
    .input(SendMessageInput)
    .subscription(({ ctx, input, signal = ctx.signal }) => streamMessage(ctx, input, signal)),
})
