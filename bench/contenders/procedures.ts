import { Elysia } from 'elysia'
import { serveWith } from '../../src/api/http/request.ts'
import { registerRest } from '../../src/api/rest/register.ts'
import { few, many } from './dummies.ts'
import { startOwnServer } from './own-server.ts'
import { answerParent } from './parent.ts'

/** This server's REST face with few procedures or with many, which is what differs between the two. */
const { services } = await startOwnServer()
const app = new Elysia({ aot: true, normalize: false, handler: { standardHostname: false } })
const serve = serveWith(services, {
  addressOf: (request) => app.server?.requestIP(request)?.address ?? 'unknown',
  keepOpen: () => () => {},
})
registerRest(app, process.argv[3] === 'few' ? few() : many(), serve)
app.listen({ hostname: '127.0.0.1', port: 0 })
answerParent(Number(app.server?.port))
