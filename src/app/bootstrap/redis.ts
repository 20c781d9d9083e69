import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Logger } from 'pino'
import { systemTimers } from '../../runtime/timers.ts'
import { isUrlEncoded } from '../settings/forms.ts'

const responseMs = 1_000
const defaultPort = 6379
/** It lets nobody in like that; whatever else it says may pass, and may repeat the password. */
const refusalForm = /^-((?:WRONGPASS|NOAUTH|DENIED) .*|ERR invalid password.*)$/

/** A command as Redis reads it. */
const command = (...words: string[]): string =>
  [`*${words.length}`, ...words.flatMap((word) => [`$${Buffer.byteLength(word)}`, word]), ''].join('\r\n')

/** What Redis says of an address that it refuses; undefined where it takes it or does not respond. */
function refusalOf(address: string): Promise<string | undefined> {
  const { protocol, hostname, port, username, password } = new URL(address)
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) }
  const socket = protocol === 'rediss:' ? connectSecurely(place) : connect(place)
  const user = [username, password]
    .filter((word) => word !== '')
    .map((word) => (isUrlEncoded(word) ? decodeURIComponent(word) : word))
  const commands = [...(user.length > 0 ? [command('AUTH', ...user)] : []), command('PING')]
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const end = (refusal?: string) => {
    stopClock()
    socket.destroy()
    resolve(refusal)
  }
  // A socket's own time is not that of a handshake.
  const stopClock = systemTimers.after(responseMs, () => end())
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
    const lines = received.split('\r\n').slice(0, -1)
    const [refusal] = lines.flatMap((line) => refusalForm.exec(line)?.[1] ?? [])
    if (refusal !== undefined || lines.length >= commands.length) end(refusal)
  })
  socket.once('error', () => end())
  socket.once('close', () => end())
  socket.write(commands.join(''))
  return promise
}

/** Logs why Redis refuses the address that it has, in its own words: clients say that the connection was closed. */
export async function logRedisRefusal(address: string, log: Logger): Promise<void> {
  const reason = await refusalOf(address)
  if (reason === undefined) return
  const meaning = 'Redis refuses its address: each process counts for itself, and messages of the others do not arrive'
  log.error({ event: 'redis_refused', setting: 'REDIS_URL', reason }, meaning)
}
