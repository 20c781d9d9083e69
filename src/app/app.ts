import { Elysia } from 'elysia'
import { keepLengths } from '../api/http/head.ts'
import { type Handler, registerPath } from '../api/http/path.ts'
import { serveWith } from '../api/http/request.ts'
import { mcpHandler } from '../api/mcp/handler.ts'
import { docsRoutes } from '../api/openapi/docs-page.ts'
import { registerRest } from '../api/rest/register.ts'
import { rpcHandler, unknownPath } from '../api/rpc/handler.ts'
import { picturePath, servePicture } from '../resources/profile/serve.ts'
import { widgetPreflight } from '../resources/widget/preflight.ts'
import { chatPath } from '../resources/widget/router.ts'
import { widgetScript } from '../resources/widget/script.ts'
import { appRouter, restRouter } from '../router.ts'
import { consoleRoutes } from './console/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { healthRoutes } from './health.ts'
import { metricsRoute } from './metrics/routes.ts'
import { rootPath } from './root.ts'

/** The whole HTTP application over injected dependencies: REST, tRPC, MCP, the description, the pages and health. */
export function createApp(dependencies: Dependencies) {
  // Hosts may be as short as one letter.
  const app = new Elysia({ aot: true, normalize: false, handler: { standardHostname: false } })
  keepLengths(app)
  const serve = serveWith(dependencies, {
    addressOf: (request) => app.server?.requestIP(request)?.address ?? 'unknown',
    keepOpen(request) {
      app.server?.timeout(request, 0)
      return () => app.server?.timeout(request, dependencies.idleSeconds)
    },
  })

  registerRest(app, restRouter, serve, new Map([[chatPath, widgetPreflight]]))
  const rpc = serve(rpcHandler(appRouter))
  app.route('ALL', '/trpc/*', rpc, { parse: 'none' })
  app.route('ALL', '/mcp', serve(mcpHandler(restRouter)), { parse: 'none' })
  const pages: [path: string, handler: Handler][] = [
    ...healthRoutes(dependencies),
    ...docsRoutes(dependencies),
    metricsRoute(dependencies),
    ...consoleRoutes(),
    [picturePath, servePicture],
    ['/widget.js', widgetScript()],
    ['/', rootPath],
  ]
  for (const [path, handler] of pages) {
    registerPath(app, serve, { path, handlers: new Map([['GET', handler]]), isPublic: true })
  }
  const missing = serve(unknownPath)
  app.route('ALL', '/*', missing, { parse: 'none' })
  return app
}
