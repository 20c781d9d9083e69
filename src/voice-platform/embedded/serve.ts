import type { EmbeddedPlatform } from './platform.ts'

/** A running server: its base URL, and how to stop it. */
export interface ServedPlatform {
  url: string
  stop(): Promise<void>
}

/** A body that fails before its first byte, so that the connection closes without a response; no reason, so no log. */
const cutConnection = () => new Response(new ReadableStream({ start: (controller) => controller.error() }))

/** Serves the embedded platform over HTTP; a fault that drops a connection really cuts it. Port 0 takes a free one. */
export function servePlatform(platform: EmbeddedPlatform, { hostname = '127.0.0.1', port = 0 } = {}): ServedPlatform {
  const server = Bun.serve({
    hostname,
    port,
    reusePort: false,
    development: false,
    fetch: async (request) => {
      try {
        return await platform.fetch(request)
      } catch {
        return cutConnection()
      }
    },
  })
  return { url: `http://${hostname}:${server.port}`, stop: () => server.stop(true) }
}
