import type { Handler } from '../api/http/path.ts'
import { jsonResponse } from '../api/http/response.ts'
import { version } from '../runtime/version.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * `GET /health` (what runs here) and `GET /health/ready` (503 while the database is away or migrations are pending).
 */
export function healthRoutes({ health }: Dependencies): [path: string, handler: Handler][] {
  const report: Handler = async (_request, ctx) => {
    const drift = await health.drift()
    return jsonResponse(ctx, 200, {
      status: 'ok',
      version,
      database: health.database,
      voice_platform: health.voicePlatform,
      ...(drift && { drift }),
    })
  }
  const ready: Handler = async (_request, ctx) => {
    const reason = await health.notReady()
    return reason
      ? jsonResponse(ctx, 503, { status: 'unavailable', reason })
      : jsonResponse(ctx, 200, { status: 'ready' })
  }
  return [
    ['/health', report],
    ['/health/ready', ready],
  ]
}
