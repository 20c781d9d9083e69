import { join } from 'node:path'
import type { RequestContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { ErrorResponse } from '../../api/errors/error-response.ts'
import { type Asset, asset, assetResponse, once } from '../../api/http/asset.ts'
import { encodingFor } from '../../api/http/encoding.ts'
import type { Handler } from '../../api/http/path.ts'
import { errorReply } from '../../api/http/response.ts'
import { type ConsoleManifest, consoleFolder, manifestName } from './build.ts'
import { consolePage, missingPage, securityPolicy } from './page.ts'

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

const html = 'text/html; charset=utf-8'

/** The name of a file changes with its content. */
const forever = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' }

const pageHeaders = {
  'content-security-policy': securityPolicy,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

interface Built {
  manifest: ConsoleManifest
  /** A file by its name, gzipped or not; kept in memory from its first request on. */
  file(name: string, gzip: boolean): Promise<{ asset: Asset; gzip: boolean } | undefined>
}

async function readBuilt(folder: string): Promise<Built | undefined> {
  const stored = Bun.file(join(folder, manifestName))
  if (!(await stored.exists())) return undefined
  const manifest: ConsoleManifest = await stored.json()
  const compressed = new Map(manifest.files.map((file) => [file.name, file.compressed]))
  const loaded = new Map<string, Promise<Asset>>()
  const load = async (path: string, type: string) => asset(await Bun.file(join(folder, path)).bytes(), type)
  return {
    manifest,
    async file(name, wanted) {
      const isCompressed = compressed.get(name)
      if (isCompressed === undefined) return undefined
      const gzip = wanted && isCompressed
      const path = gzip ? `${name}.gz` : name
      const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
      const loading = loaded.get(path) ?? load(path, type)
      loaded.set(path, loading)
      return { asset: await loading, gzip }
    },
  }
}

const notFound = (ctx: RequestContext) =>
  errorReply(ctx, new ErrorResponse(new ApiError('route_not_found'), 'accounts'))

/** How many folders the page's address lies below the console. */
const depthOf = (url: string) => new URL(url).pathname.split('/console')[1]?.match(/\//g)?.length ?? 0

/**
 * `GET /console` and everything below it: one page for every address, and the files that it names under
 * `/console/assets`. Nothing here is private: what the page shows it asks the API for.
 */
export function consoleRoutes(folder = consoleFolder): [path: string, handler: Handler][] {
  const built = once(async () => {
    const found = await readBuilt(folder)
    if (!found) throw new Error('not built')
    return found
  })
  const page: Handler = async (request, ctx) => {
    const ready = await built().catch(() => undefined)
    if (!ready) return assetResponse(request, ctx, asset(missingPage, html), { ...pageHeaders, etag: '"missing"' })
    return assetResponse(request, ctx, asset(consolePage(ready.manifest, depthOf(request.url)), html), pageHeaders)
  }
  const file: Handler = async (request, ctx, { '*': name = '' }) => {
    const ready = await built().catch(() => undefined)
    const found = await ready?.file(name, encodingFor(request, ['gzip']) === 'gzip')
    if (!found) return notFound(ctx)
    return assetResponse(request, ctx, found.asset, { ...forever, ...(found.gzip && { 'content-encoding': 'gzip' }) })
  }
  return [
    ['/console', page],
    ['/console/*', page],
    ['/console/assets/*', file],
  ]
}
