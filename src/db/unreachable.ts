/**
 * Codes of a connection that was lost, never made or not free in time, of a statement or lock that took too long, and
 * of a PostgreSQL that stops, starts, has no room, or takes no writes as it is about to be replaced.
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

/** Of a disk that is full, the database's or that of files, and of memory that does not suffice: nothing was kept. */
const roomCodes = new Set(['53100', '53200', 'ENOSPC', 'EDQUOT'])

function hasCode(error: unknown, isMeant: (code: string) => boolean): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && isMeant(String(inner.code))) return true
  }
  return false
}

/** Whether a lost or unreachable database is behind an error, however often it was wrapped on the way. */
export const isUnreachable = (error: unknown): boolean =>
  hasCode(error, (code) => code.startsWith('CONNECTION_') || codes.has(code))

/** Whether a database or a disk without room is behind an error, likewise. */
export const isOutOfRoom = (error: unknown): boolean => hasCode(error, (code) => roomCodes.has(code))

/** Whether either is behind an error. */
export const isDatabaseFault = (error: unknown): boolean => isUnreachable(error) || isOutOfRoom(error)
