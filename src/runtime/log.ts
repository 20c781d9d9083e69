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

/** What the log says of an error: kind, code, the innermost message and one place; no trace, SQL or parameters. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) }
  const root = rootOf(error)
  const wrapped = root.message.startsWith('Failed query:') ? 'a query failed' : root.message
  const at = placeOf(error) ?? placeOf(root)
  return {
    type: root.name,
    ...('code' in root && { code: root.code }),
    message: wrapped.slice(0, 500),
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
