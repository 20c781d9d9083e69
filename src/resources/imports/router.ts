import { dataResponse, listResponse } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import { CandidatePage, CandidateQuery, ImportInput, ImportPath, ImportResponse } from './schema.ts'
import { getImport, listCandidates, startImport } from './service.ts'

const common = { tag: 'Operator: imports', document: 'accounts', extension: true } as const

/** Adopts what lives on the platform without a record: it belongs to nobody, so operators say whose it becomes. */
export const importsRouter = router({
  candidates: operatorProcedure
    .meta(
      get('/imports/candidates', 'List live objects without a record', { ...common, errors: ['import_unavailable'] }),
    )
    .input(CandidateQuery)
    .output(CandidatePage)
    .query(({ ctx, input }) => listResponse(listCandidates(ctx, input))),

  create: operatorProcedure
    .meta(
      post('/imports', 'Adopt live objects', {
        ...common,
        status: 201,
        errors: ['import_unavailable', 'import_running'],
      }),
    )
    .input(ImportInput)
    .output(ImportResponse)
    .mutation(({ ctx, input }) => dataResponse(startImport(ctx, input))),

  get: operatorProcedure
    .meta(get('/imports/{id}', 'Get how far an import is', { ...common, ids: { id: 'import_not_found' } }))
    .input(ImportPath)
    .output(ImportResponse)
    .query(({ ctx, input }) => dataResponse(getImport(ctx, input))),
})
