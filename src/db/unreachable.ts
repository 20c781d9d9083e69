/**
 * Codes of a connection that was lost, never made or not free in time, of a statement or lock that took too long, and of
 * a PostgreSQL that stops, starts, has no room, or takes no writes as it is about to be replaced.
 */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'CONNECT_TIMEOUT',
  'POOL_TIMEOUT',
  'STATEMENT_TIMEOUT',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
])

/** Whether a lost or unreachable database is behind an error, however often it was wrapped on the way. */
export function isUnreachable(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code = 'code' in inner ? String(inner.code) : ''
    if (code.startsWith('CONNECTION_') || codes.has(code)) return true
  }
  return false
}
