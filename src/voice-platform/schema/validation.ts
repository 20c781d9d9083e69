import { z } from 'zod'
import { isObject, type Json } from '../../json/object.ts'
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

/** More than any server takes; of more, the errors alone would take long to make. */
const maxHeaders = 1000

function refuseUnsendable({ value, issues }: z.core.ParsePayload<Json>): void {
  if (Object.keys(value).length > maxHeaders) {
    issues.push({ code: 'custom', path: [], message: `must have at most ${maxHeaders} keys`, input: value })
    return
  }
  for (const [name, item] of Object.entries(value)) {
    if (headerName.test(name) && isSendable(item)) continue
    issues.push({ code: 'custom', path: [name], message: unsendable, input: item })
  }
}

/** HTTP headers, name to value. */
export const headers = z.record(z.string(), z.unknown()).check(refuseUnsendable)

const isNested = (value: unknown) => isObject(value) || Array.isArray(value)

/** A schema says more than texts: a header may be called `type` or `properties` as well. */
const isSchema = (value: Json) =>
  isObject(value.properties) || (value.type === 'object' && Object.values(value).some(isNested))

/**
 * Headers of a request that a tool makes: as above, or a schema of what a model fills in, which is the platform's to
 * judge.
 */
export const toolHeaders = z.record(z.string(), z.unknown()).check((payload) => {
  if (!isSchema(payload.value)) refuseUnsendable(payload)
})

/** A strict object in which every entry is optional. */
export const plan = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape).partial()

/** A union that is told apart by `provider`. */
export function byProvider(options: z.ZodObject[]) {
  const [first, ...others] = options
  if (!first) throw new Error('A union needs an option')
  return z.discriminatedUnion('provider', [first, ...others])
}
