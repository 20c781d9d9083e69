import pino, { type DestinationStream, type Logger } from 'pino'

const secretPaths = ['authorization', 'token', 'apiKey', 'password', 'secret', 'headers.authorization']
const paths = [...secretPaths, ...secretPaths.map((path) => `*.${path}`)]

/** The innermost cause: drivers wrap it in messages that quote SQL and parameters. */
function rootOf(error: Error): Error {
  let root = error
  for (let depth = 0; root.cause instanceof Error && depth < 8; depth++) root = root.cause
  return root
}

/** Where in our own source an error came up: one file and line, not a trace. */
function placeOf(error: Error): string | undefined {
  return /\/(src\/[\w./-]+:\d+):\d+/.exec(error.stack ?? '')?.[1]
}

/** The database's own state (classes 08, 25, 53, 57, 58), not what a statement held. */
const isOutage = (code: string | undefined) => /^(08|25|53|57|58)/.test(code ?? '')

/**
 * What the log says of an error: kind, code, the innermost message and one place; no trace, SQL or parameters. What
 * the database says of a statement quotes values and the names of constraints, so its code stands for it.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) }
  const root = rootOf(error)
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

/** The structured log: JSON lines on standard output, secrets cut out. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths, censor: '[secret]' },
    serializers: { err: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}
