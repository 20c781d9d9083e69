import { z } from 'zod'
import { headerName, headerText, isPlainAddress } from '../../outgoing/sendable.ts'

/** A text of `min`..`max` code points. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine((value) => [...value].length <= max, `must be shorter than or equal to ${max} characters`)
    .refine((value) => [...value].length >= min, `must be longer than or equal to ${min} characters`)

/** A number within a closed range. */
export const within = ([min, max]: readonly [number, number]) => z.number().min(min).max(max)

/** An address with one of the schemes that the platform calls, unless a placeholder stands in its place. */
export const address = () =>
  z
    .string()
    .refine(
      (value) => value.startsWith('{{') || (/^(https?|wss?):\/\/[^\s/]/i.test(value) && isPlainAddress(value)),
      'must be a URL address',
    )

const unsendable = 'cannot be sent as an HTTP header'

/** A text that is sent as the value of a header. */
export const headerValue = z.string().regex(headerText, unsendable)

const isSendable = (value: unknown) =>
  typeof value === 'string' ? headerText.test(value) : typeof value === 'number' || typeof value === 'boolean'

/** HTTP headers, name to value. */
export const headers = z.record(z.string(), z.unknown()).check(({ value, issues }) => {
  for (const [name, item] of Object.entries(value)) {
    if (headerName.test(name) && isSendable(item)) continue
    issues.push({ code: 'custom', path: [name], message: unsendable, input: item })
  }
})

/** A strict object in which every entry is optional. */
export const plan = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape).partial()

/** A union that is told apart by `provider`. */
export function byProvider(options: z.ZodObject[]) {
  const [first, ...others] = options
  if (!first) throw new Error('A union needs an option')
  return z.discriminatedUnion('provider', [first, ...others])
}
