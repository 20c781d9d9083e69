import { connect } from 'node:net'
import type { DatabaseHandle } from './client.ts'
import { isUnreachable } from './unreachable.ts'

/** The address asks for TLS, and the server has none: it never will serve that address as it is. */
export class NoTlsError extends Error {
  override readonly name = 'NoTlsError'

  constructor(host: string, mode: string) {
    super(`the server at ${host} has no TLS, which sslmode=${mode} asks for`)
  }
}

/** PostgreSQL's question whether a server goes on with TLS; it responds with one letter. */
const question = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const no = 'N'.charCodeAt(0)
const responseMs = 2_000

/** Whether a server says that it has no TLS; one that says nothing does not. */
function declines(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port }, () => socket.write(question))
  const end = (isDeclined: boolean) => {
    socket.destroy()
    resolve(isDeclined)
  }
  socket.setTimeout(responseMs, () => end(false))
  socket.once('data', ([letter]) => end(letter === no))
  socket.once('error', () => end(false))
  socket.once('close', () => end(false))
  return promise
}

/**
 * Asks why a database is out of reach to which `work` was not possible.
 * @throws NoTlsError when that is because none of its servers has the TLS that its address asks for; else what `work`
 * throws
 */
export async function tellingOfTls<T>({ sql, embedded }: DatabaseHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { ssl, host, port } = sql.options
    const isAsked = typeof ssl === 'string' && ssl !== 'prefer'
    if (embedded || !isAsked || !isUnreachable(error)) throw error
    const responses = await Promise.all(host.map((name, at) => declines(name, port[at] ?? 5432)))
    if (!responses.every(Boolean)) throw error
    throw new NoTlsError(host.join(', '), ssl)
  }
}
