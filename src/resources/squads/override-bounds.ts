import { type FieldErrors, validationError } from '../../api/errors/api-error.ts'
import { limits, type Range, requestBounds } from '../../voice-platform/mapping/limits.ts'
import { valueAt } from '../../voice-platform/mirror/agreement/leaves.ts'
import type { SquadBody } from './schema.ts'

type Overridden = Pick<SquadBody, 'members' | 'membersOverrides'>

const bounds: Readonly<Record<string, Range>> = requestBounds

/** Messages that the platform takes up to a length, to which they would be cut. */
const cut: readonly string[] = ['voicemailMessage', 'endCallMessage']

/**
 * What is wrong with a value, or undefined. A field of another type is the platform's to refuse; of a number within an
 * object it would not be told.
 */
function refusalOf(path: string, value: unknown): string | undefined {
  if (typeof value === 'string' && cut.includes(path)) {
    return [...value].length > limits.message ? `must have at most ${limits.message} characters.` : undefined
  }
  const range = bounds[path]
  if (!range || value == null) return undefined
  if (typeof value !== 'number') return path.includes('.') ? 'must be a number.' : undefined
  const [min, max] = range
  if (value < min) return `must be at least ${min}.`
  return value > max ? `must be at most ${max}.` : undefined
}

const overridesIn = ({ members, membersOverrides }: Overridden): [place: string, overrides: unknown][] => [
  ...members.map(
    ({ assistantOverrides }, index) => [`members.${index}.assistantOverrides`, assistantOverrides] as [string, unknown],
  ),
  ['membersOverrides', membersOverrides],
]

/**
 * Throws 422 on each number and message in overrides that is beyond the bounds of an assistant's own
 * (contract: squads 18), unless the stored squad has it already, as it came from the live platform.
 */
export function refuseBeyondBounds(sent: Overridden, stored?: Overridden): void {
  const known = stored ? overridesIn(stored) : []
  const refused: FieldErrors = {}
  for (const [place, overrides] of overridesIn(sent)) {
    for (const path of [...Object.keys(bounds), ...cut]) {
      const value = valueAt(overrides, path.split('.'))
      const refusal = refusalOf(path, value)
      if (!refusal || known.some(([, had]) => Bun.deepEquals(valueAt(had, path.split('.')), value))) continue
      refused[`${place}.${path}`] = [`The ${place}.${path} field ${refusal}`]
    }
  }
  if (Object.keys(refused).length > 0) throw validationError(refused)
}
