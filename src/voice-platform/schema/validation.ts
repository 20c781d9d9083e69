import { z } from 'zod'
import { isPlainAddress } from '../../outgoing/sendable.ts'

/** A text of `min`..`max` code points. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine((value) => [...value].length <= max, `must be shorter than or equal to ${max} characters`)
    .refine((value) => [...value].length >= min, `must be longer than or equal to ${min} characters`)

/** A number within a closed range. */
export const within = ([min, max]: readonly [number, number]) => z.number().min(min).max(max)

/** An address with one of the schemes that the platform calls. */
export const address = () =>
  z
    .string()
    .refine((value) => /^(https?|wss?):\/\/[^\s/]/i.test(value) && isPlainAddress(value), 'must be a URL address')

/** A strict object in which every entry is optional. */
export const plan = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape).partial()

/** A union that is told apart by `provider`. */
export function byProvider(options: z.ZodObject[]) {
  const [first, ...others] = options
  if (!first) throw new Error('A union needs an option')
  return z.discriminatedUnion('provider', [first, ...others])
}
