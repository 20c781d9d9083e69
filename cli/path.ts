import { CommandError } from './error.ts'

/**
 * A value as one part of a path. Throws CommandError for `.` and `..`, which no encoding keeps: the request would go to
 * another path than the one that the command names.
 */
export function pathSegment(value: string): string {
  if (/^\.{1,2}$/.test(value)) throw new CommandError(`"${value}" cannot be a part of a path.`)
  return encodeURIComponent(value)
}
