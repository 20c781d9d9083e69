import { z } from 'zod'
import { collectionResponse } from '../../api/agents-envelope.ts'
import { get } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { Model, ModelList, ModelPath } from './schema.ts'
import { getModel, listModels } from './service.ts'

const common = { tag: 'Models', document: 'agents', feature: 'ai_chat' } as const

/** Language models (contract: models 1). */
export const modelsRouter = router({
  list: workspaceProcedure
    .meta(get('/models', 'List the usable models', { ...common, aliases: ['/v1/models'] }))
    .input(z.object({}))
    .output(ModelList)
    .query(({ ctx }) => collectionResponse(listModels(ctx))),

  get: workspaceProcedure
    .meta(
      get('/models/{model}', 'Get a model', {
        ...common,
        aliases: ['/v1/models/{model}'],
        ids: { model: 'model_not_found' },
        extension: true,
      }),
    )
    .input(ModelPath)
    .output(Model)
    .query(({ ctx, input }) => getModel(ctx, input)),
})
