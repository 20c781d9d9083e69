import { hasAdminRole } from '../../accounts/account.ts'
import { listResponse } from '../../api/envelope.ts'
import { get } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { ToolPicks, ToolQuery } from './schema.ts'
import { listToolPicks } from './service.ts'

/** The tools that assistants can be given (contract: tools 1). */
export const toolsRouter = router({
  list: workspaceProcedure
    .meta(
      get('/assistants/tools', 'List the tools that an assistant can be given', {
        tag: 'Assistants',
        document: 'voice',
        feature: 'assistants',
        honours: { owner_id: hasAdminRole },
      }),
    )
    .input(ToolQuery)
    .output(ToolPicks)
    .query(({ ctx, input }) => listResponse(listToolPicks(ctx, input))),
})
