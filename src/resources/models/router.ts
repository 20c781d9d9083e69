import { z } from 'zod'
import { get } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { ModelList } from './schema.ts'
import { listModels } from './service.ts'

/** Language models (contract: models 1). */
export const modelsRouter = router({
  list: workspaceProcedure
    .meta(get('/models', 'List the usable models', { tag: 'Models', document: 'agents', feature: 'ai_chat' }))
    .input(z.object({}))
    .output(ModelList)
    .query(({ ctx }) => listModels(ctx)),
})
