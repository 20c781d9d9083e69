import { defaultIdleSeconds } from '../api/http/body.ts'
import { codeOf } from '../runtime/error-code.ts'
import type { createApp } from './app.ts'

/** Another program listens where this server was to. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError'

  constructor({ host, port }: Place) {
    super(`Port ${port} on ${host} is in use. Stop what listens there, or set another PORT.`)
  }
}

/** This machine cannot listen where this server was to. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError'

  constructor({ host, port }: Place, cause: unknown) {
    const denied = codeOf(cause) === 'EACCES'
    super(
      denied
        ? `PORT: this user may not listen on port ${port}. Set another one.`
        : `HOST: ${host} is no address of this machine, nor a name of one. Set another one, such as 127.0.0.1 or 0.0.0.0.`,
    )
  }
}

interface Place {
  host: string
  port: number
}

/**
 * Lets an application listen, alone: a port is never shared with another process.
 * @param idleTimeout seconds that a connection may be silent
 * @throws PortInUseError when somebody else has it, PlaceError when there is no such place
 */
export function listen(app: ReturnType<typeof createApp>, { host, port }: Place, idleTimeout = defaultIdleSeconds) {
  // Bun would refuse a body without a word, and holds none that nobody reads: the limits are our own.
  const maxRequestBodySize = Number.MAX_SAFE_INTEGER
  try {
    app.listen({ hostname: host, port, reusePort: false, idleTimeout, maxRequestBodySize })
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new PortInUseError({ host, port })
    throw new PlaceError({ host, port }, error)
  }
  if (!app.server) throw new Error('The server did not start')
  return app.server
}
