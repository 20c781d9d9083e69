import { PlatformError } from '../errors.ts'

/** Many times what the platform is sent. What is deeper takes seconds to compare, and no database keeps it. */
const maxDepth = 1_000

const isDeeper = (value: unknown, max: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (max === 0 || Object.values(value).some((part) => isDeeper(part, max - 1)))

/**
 * A live object that is about to be compared with a record. Throws {@link PlatformError}, as for an unreadable
 * response, where it is nested too deeply for that (contract: mirror 13).
 */
export function comparable<Live extends object>(live: Live): Live {
  if (isDeeper(live, maxDepth)) throw new PlatformError('unknown', 'The voice platform gave an unreadable answer.')
  return live
}
