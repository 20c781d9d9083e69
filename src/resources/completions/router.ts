import { post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { spendingErrors } from '../billing/spend.ts'
import { requireTurn } from '../messages/repeats.ts'
import { Completion, CompletionInput } from './schema.ts'
import { createCompletion } from './service.ts'

/** The chat-completions format (contract: completions 1). */
export const completionsRouter = router({
  create: workspaceProcedure
    .meta(
      post('/chat/completions', 'Complete a conversation', {
        example: { request: { messages: [{ role: 'user', content: 'When do you deliver?' }] } },
        tag: 'Completions',
        document: 'completions',
        feature: 'ai_chat',
        rate: 'turn',
        beforeReplay: requireTurn,
        refuses: { stream: 'streaming_unsupported' },
        aliases: ['/v1/chat/completions'],
        errors: [
          'streaming_unsupported',
          'no_user_message',
          ...spendingErrors,
          'agent_mcp_denied',
          'agent_not_found',
          'chat_not_found',
          'model_not_found',
          'completion_failed',
        ],
      }),
    )
    .input(CompletionInput)
    .output(Completion)
    .mutation(({ ctx, input }) => createCompletion(ctx, input)),
})
