import { deletedResponse, objectResponse, pageResponse } from '../../api/agents-envelope.ts'
import { del, get, post, put } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { PutShareInput, ShareDeleted, ShareList, SharePath, ShareResponse, SharesPath, SharesQuery } from './schema.ts'
import { deleteShare, leaveAgent, listShares, putShare } from './service.ts'

const common = { tag: 'Agent shares', document: 'agents', feature: 'ai_chat', extension: true } as const

/** Who else may use an agent (contract: agents 14): only its owner sees and changes this, and anyone may leave. */
export const sharesRouter = router({
  list: workspaceProcedure
    .meta(
      get('/agents/{agent_id}/shares', 'List the users that an agent is shared with', {
        ...common,
        errors: ['agent_owner_only'],
      }),
    )
    .input(SharesQuery)
    .output(ShareList)
    .query(({ ctx, input }) => pageResponse(listShares(ctx, input))),

  put: workspaceProcedure
    .meta(
      put('/agents/{agent_id}/shares/{user_id}', 'Share an agent with a user', {
        ...common,
        ids: { user_id: 'share_user_not_found' },
        errors: ['agent_owner_only'],
      }),
    )
    .input(PutShareInput)
    .output(ShareResponse)
    .mutation(({ ctx, input }) => objectResponse('share', putShare(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del('/agents/{agent_id}/shares/{user_id}', 'End a share', {
        ...common,
        ids: { user_id: 'share_not_found' },
        errors: ['agent_owner_only'],
      }),
    )
    .input(SharePath)
    .output(ShareDeleted)
    .mutation(({ ctx, input }) => deletedResponse('share', deleteShare(ctx, input))),

  leave: workspaceProcedure
    .meta(
      post('/agents/{agent_id}/leave', 'End the share that you were given', {
        ...common,
        errors: ['share_not_found'],
        description: 'The agent is no longer yours to use. Its owner has no share to leave: 404.',
      }),
    )
    .input(SharesPath)
    .output(ShareDeleted)
    .mutation(({ ctx, input }) => deletedResponse('share', leaveAgent(ctx, input))),
})
