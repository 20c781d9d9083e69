import { join } from 'node:path'
import { encoded, encodedResponse, once } from '../../api/http/asset.ts'
import type { Handler } from '../../api/http/path.ts'

const entry = join(import.meta.dirname, '../../widget/main.ts')
const javascript = 'text/javascript; charset=utf-8'

/**
 * The script that every page with a widget loads: one classic script without dependencies. Throws when it has errors.
 */
export async function buildWidget(): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', format: 'iife', minify: true })
  const [script] = outputs
  if (!script) throw new Error('The widget was not built')
  return script.text()
}

/** The address never changes: pages take a new version within minutes, and ask no more often. */
const headers = {
  'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
  'cross-origin-resource-policy': 'cross-origin',
}

/** `GET /widget.js`, built at its first request; any page may load it. */
export function widgetScript(): Handler {
  const load = once(async () => encoded(await buildWidget(), javascript))
  return async (request, ctx) => encodedResponse(request, ctx, await load(), headers)
}
