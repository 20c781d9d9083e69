import pino, { type DestinationStream, type Logger } from 'pino'
import { instance } from './instance.ts'
import { placeOf } from './place.ts'

const secretPaths = ['authorization', 'token', 'apiKey', 'password', 'secret', 'headers.authorization']
const paths = [...secretPaths, ...secretPaths.map((path) => `*.${path}`)]

/** The innermost cause: drivers wrap it in messages that quote SQL and parameters. */
export function rootOf(error: Error): Error {
  let root = error
  for (let depth = 0; root.cause instanceof Error && depth < 8; depth++) root = root.cause
  return root
}

/**
 * The error that is logged for another: one whose `hidesCause` is true, as what is behind it quotes a stranger, else
 * the innermost cause.
 */
function loggedOf(error: Error): Error {
  let inner: unknown = error
  for (let depth = 0; inner instanceof Error && depth < 8; depth++) {
    if ('hidesCause' in inner && inner.hidesCause === true) return inner
    inner = inner.cause
  }
  return rootOf(error)
}

/** The database's own state (classes 08, 25, 53, 57, 58), not what a statement held. */
const isOutage = (code: string | undefined) => /^(08|25|53|57|58)/.test(code ?? '')

/**
 * What the log says of an error: kind, code, the innermost message and one place; no trace, SQL or parameters. What
 * the database says of a statement quotes values and the names of constraints, so its code stands for it.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) }
  const root = loggedOf(error)
  const code = 'code' in root ? String(root.code) : undefined
  const isStatement = root.name === 'PostgresError' || root.message.startsWith('Failed query:')
  const message = isStatement && !isOutage(code) ? 'a statement was refused' : root.message
  const at = placeOf(error) ?? placeOf(root)
  return {
    type: root.name,
    ...(code !== undefined && { code }),
    message: message.slice(0, 500),
    ...(at && { at }),
  }
}

/** Why something failed, in one line for operators: the innermost message, no SQL or parameters. */
export const reasonOf = (error: unknown): string => String(describeError(error).message)

/**
 * Standard output, where the lines of one turn of the event loop are written together: a write of its own costs more
 * than making the line. What is left is written when the process ends.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true })
  let lines = ''
  const flush = () => {
    const written = lines
    lines = ''
    if (written !== '') output.write(written)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}

/** One for the process, whoever logs. */
let shared: DestinationStream | undefined

/** The structured log: JSON lines on standard output unless another destination is given, secrets cut out. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  shared ??= standardOutput()
  const options = {
    level,
    base: { instance },
    redact: { paths, censor: '[secret]' },
    serializers: { err: describeError },
  }
  return pino(options, destination ?? shared)
}
