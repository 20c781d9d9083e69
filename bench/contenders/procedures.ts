import { Elysia } from 'elysia'
import { serveWith } from '../../src/api/http/request.ts'
import { registerRest } from '../../src/api/rest/register.ts'
import { router } from '../../src/api/trpc.ts'
import { assistantsRouter } from '../../src/resources/assistants/router.ts'
import { restRouter } from '../../src/router.ts'
import { startOwnServer } from './own-server.ts'
import { answerParent } from './parent.ts'

/** This server's REST face with few procedures or with all of them, which is what differs between the two. */
const { list, get, create, update, delete: remove } = assistantsRouter
const few = router({ assistants: router({ list, get, create, update, delete: remove }) })

const { services } = await startOwnServer()
const app = new Elysia({ aot: true, normalize: false, handler: { standardHostname: false } })
const serve = serveWith(services, {
  addressOf: (request) => app.server?.requestIP(request)?.address ?? 'unknown',
  keepOpen: () => () => {},
})
registerRest(app, process.argv[3] === 'few' ? few : restRouter, serve)
app.listen({ hostname: '127.0.0.1', port: 0 })
answerParent(Number(app.server?.port))
