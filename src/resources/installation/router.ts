import { z } from 'zod'
import { dataResponse } from '../../api/envelope.ts'
import { get } from '../../api/meta.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import { InstallationResponse } from './schema.ts'
import { getInstallation } from './service.ts'

/** What operators see of a server. */
export const installationRouter = router({
  get: operatorProcedure
    .meta(
      get('/admin/installation', 'Get the version, the upgrade and the background work', {
        tag: 'Operator: installation',
        document: 'accounts',
        extension: true,
      }),
    )
    .input(z.object({}))
    .output(InstallationResponse)
    .query(({ ctx }) => dataResponse(getInstallation(ctx))),
})
