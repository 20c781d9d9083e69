import { listResponse } from '../../api/envelope.ts'
import { get } from '../../api/meta.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import { AuditPage, AuditQuery } from './schema.ts'
import { listAudit } from './service.ts'

/** Who changed what, for operators. */
export const auditRouter = router({
  list: operatorProcedure
    .meta(
      get('/admin/audit', 'List changes of accounts, tokens, credits and the catalogue', {
        tag: 'Operator: audit',
        document: 'accounts',
        extension: true,
      }),
    )
    .input(AuditQuery)
    .output(AuditPage)
    .query(({ ctx, input }) => listResponse(listAudit(ctx, input))),
})
