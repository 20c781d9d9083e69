import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Json } from '../../json/object.ts'
import type { ApiDependencies } from '../dependencies.ts'
import { type Encoded, encoded, encodedResponse, once } from '../http/asset.ts'
import type { Handler } from '../http/path.ts'
import { responseHeaders } from '../http/response.ts'
import { openApiText } from './text.ts'
import { textRoutes } from './text-routes.ts'
import type { OpenApiDocument } from './types.ts'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchboard API</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

const javascript = 'text/javascript; charset=utf-8'

/** The files of the packaged page that it needs; no others are served. */
const packaged: [name: string, type: string][] = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', javascript],
  ['favicon-32x32.png', 'image/png'],
]

const packagedAsset = async (name: string, type: string): Promise<Encoded> => {
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)
  return encoded(await Bun.file(path).bytes(), type)
}

const own = (name: string, type: string) => async (): Promise<Encoded> =>
  encoded(await Bun.file(join(import.meta.dirname, 'page', name)).bytes(), type)

/** The page runs only its own scripts, and talks only to this server; its styles are partly inline. */
function securityPolicy(publicUrl: string): string {
  const server = URL.canParse(publicUrl) ? ` ${new URL(publicUrl).origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${server}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The description that `bun run openapi` wrote. */
const written = join(import.meta.dirname, '../../../openapi.json')

/**
 * `GET /openapi.json`, the description with this server's URL, and `GET /docs`, the interactive page over it, which
 * needs nothing from the internet. Making the description takes a third of a second, which nobody else shall wait for:
 * it was made before, and `bun run check` sees that it is up to date.
 */
export function docsRoutes({ settings }: ApiDependencies): [path: string, handler: Handler][] {
  const describe = once(
    async (): Promise<OpenApiDocument & Json> => ({
      ...(await Bun.file(written).json()),
      servers: [{ url: settings.publicUrl || '/' }],
    }),
  )
  const serving = (load: () => Promise<Encoded>): Handler => {
    const made = once(load)
    return async (request, ctx) => encodedResponse(request, ctx, await made())
  }

  const html = once(async () => encoded(page, 'text/html; charset=utf-8'))
  const showPage: Handler = async (request, ctx) => {
    // The page's links are relative, so that it also works behind a path prefix; from `/docs/` they would lead astray.
    if (new URL(request.url).pathname.endsWith('/')) {
      return new Response(null, { status: 308, headers: { ...responseHeaders(ctx), location: '../docs' } })
    }
    const policy = { 'content-security-policy': securityPolicy(settings.publicUrl), 'referrer-policy': 'no-referrer' }
    return encodedResponse(request, ctx, await html(), policy)
  }
  return [
    ['/openapi.json', serving(async () => encoded(openApiText(await describe()), 'application/json; charset=utf-8'))],
    ...textRoutes(describe),
    ['/docs', showPage],
    ['/docs/start.js', serving(own('start.js', javascript))],
    ['/docs/page.css', serving(own('page.css', 'text/css; charset=utf-8'))],
    ...packaged.map(([name, type]): [string, Handler] => [`/docs/${name}`, serving(() => packagedAsset(name, type))]),
  ]
}
