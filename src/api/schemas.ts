import { z } from 'zod'
import { headerName, headerText, isPlainAddress } from '../outgoing/sendable.ts'
import { uuidPattern } from '../runtime/uuid.ts'
import { boundedRecord } from './bounded-record.ts'
import { compiled } from './schema-compiler/compiled-schema.ts'

const codePoints = (value: string) => {
  let count = 0
  for (const _ of value) count++
  return count
}

const atMost = (schema: z.ZodString, max: number, message?: string) =>
  schema
    .check((context) => {
      const { value } = context
      if (value.length <= max || codePoints(value) <= max) return
      context.issues.push({
        code: 'too_big',
        origin: 'string',
        maximum: max,
        inclusive: true,
        input: value,
        ...(message && { message }),
      })
    })
    .meta({ maxLength: max })

/** Text of at most `max` Unicode code points (contract: rest 5), documented as `maxLength`. */
export const text = (max: number, message?: string) => atMost(z.string(), max, message)

const isRequired = (issue: { path?: PropertyKey[] }) => `The ${issue.path?.map(String).join('.')} field is required.`

/** The text of a required field that is missing or null, for the schemas that null is no value of. */
export const requiredError = (issue: { input?: unknown; path?: PropertyKey[] }) =>
  issue.input == null ? isRequired(issue) : undefined

/** Text that must be there, and may be empty. */
export const saidText = (max: number) => atMost(z.string({ error: requiredError }), max)

/** Text that must not be empty; `required` is said when it is missing, null or blank. */
export const requiredText = (max: number, texts: { required?: string; max?: string } = {}) =>
  z
    .string({ error: (issue) => (issue.input == null ? (texts.required ?? isRequired(issue)) : undefined) })
    .check((context) => {
      const { value } = context
      if (value.trim() === '') {
        context.issues.push({
          code: 'too_small',
          origin: 'string',
          minimum: 1,
          inclusive: true,
          input: value,
          ...(texts.required && { message: texts.required }),
        })
      } else if (value.length > max && codePoints(value) > max) {
        context.issues.push({
          code: 'too_big',
          origin: 'string',
          maximum: max,
          inclusive: true,
          input: value,
          ...(texts.max && { message: texts.max }),
        })
      }
    })
    .meta({ minLength: 1, maxLength: max })

const notAddress = (issue: { path?: PropertyKey[] }) =>
  `The ${issue.path?.map(String).join('.')} field must be a valid URL.`

/** A URL of at most `max` characters, of whatever scheme. */
export const anyUrl = (max: number) =>
  text(max).refine(isPlainAddress, { error: notAddress }).meta({ format: 'uri', maxLength: max })

/**
 * An http or https URL of at most `max` characters. The host stands right after `//`, where every reader looks for it.
 */
export const webUrl = (max: number) =>
  text(max)
    .refine((value) => /^https?:\/\/[^\s/?#\\]/i.test(value) && isPlainAddress(value), { error: notAddress })
    .meta({ format: 'uri', maxLength: max })

/** What may be sent as the value of an HTTP header. */
export const headerValue = (max: number) =>
  text(max).regex(headerText, 'Header values are one line of Latin-1 characters.')

/** The values for a template's variables that one body sets. */
export const maxVariables = 1000

/** HTTP headers, name to value, at most 50. */
export const headerFields = boundedRecord(
  50,
  z.string().max(255).regex(headerName),
  headerValue(4096),
  'At most 50 headers.',
)

/** E.164 as the documents write it for assistants: `+`, then 2 to 15 digits. */
export const e164 = /^\+[1-9]\d{1,14}$/

/** Optional and nullable: omitted leaves the stored value, `null` clears it (contract: rest 4). */
export const clearable = <T extends z.ZodType>(schema: T) => schema.nullable().optional()

/** A UUID in a path. */
export const uuidId = z.string().regex(uuidPattern).toLowerCase().meta({ format: 'uuid' })

/** A name in a path that others chose, of at most `max` characters: none that cannot be stored, nothing but the 404. */
export const nameId = (max: number) => z.string().regex(new RegExp(`^[^\\p{Cc}]{1,${max}}$`, 'u'))

const idWith = (params?: Parameters<typeof z.int>[0]) => z.int(params).min(1).max(2_147_483_647)

/** An integer id: 1 to 2^31-1. */
export const integerId = idWith()

/** An id that a body must name. */
export const requiredId = idWith({ error: requiredError })

/** An id that records carry as a string: sent back as it was read, it is the same id. */
export const asShown = (id: typeof integerId) =>
  z.preprocess((sent: unknown) => (typeof sent === 'string' && /^[1-9]\d{0,9}$/.test(sent) ? Number(sent) : sent), id)

/** `per_page`, clamped to 1..100 rather than refused. */
export const perPage = (fallback: number) =>
  z
    .int()
    .transform((value) => Math.min(100, Math.max(1, value)))
    .default(fallback)
    .meta({ description: `Entries on a page, clamped to 1..100. Default ${fallback}.` })

/** A parameter that an operation of the two original APIs has here alone (contract: rest 29). */
export const beyond = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ ...schema.meta(), 'x-extension': true })

const maxPage = 10_000_000

/** `page` of a list, clamped to what there can be. */
export const pageNumber = z
  .int()
  .transform((value) => Math.min(maxPage, Math.max(1, value)))
  .default(1)
  .meta({ description: 'The page, from 1.', 'x-extension': true })

/** Where a list goes on instead of at a page. */
export const cursor = z.string().max(4000).optional().meta({
  description: 'Empty for the first entries, then the `next_cursor` of those before; `page` counts no more.',
  'x-extension': true,
})

/** What comes after the entries of a response to `cursor`. */
export const nextCursor = z.string().nullable().optional().meta({
  description: 'With `cursor` alone: what to send for the entries after these; null at the end.',
  'x-extension': true,
})

/** `page` and `per_page` of the lists of the voice endpoints (contract: rest 24), or `cursor` (contract: rest 35). */
export const pageQuery = z.object({
  page: pageNumber,
  per_page: perPage(15),
  cursor,
})

export const Pagination = z
  .object({
    current_page: z.int(),
    last_page: z.int(),
    per_page: z.int(),
    total: z.int(),
    from: z.int().nullable(),
    to: z.int().nullable(),
    next_cursor: nextCursor,
  })
  .meta({ id: 'Pagination', description: 'Where in the list this page is; `from` and `to` are null when it is empty.' })

/** How many entries stand before a page. */
export const offsetOf = ({ page, per_page }: { page: number; per_page: number }): number => (page - 1) * per_page

/** The pagination object of a page that holds `count` of `total` entries. */
export function pagination(query: { page: number; per_page: number }, total: number, count: number) {
  const from = offsetOf(query) + 1
  return {
    current_page: query.page,
    last_page: Math.max(1, Math.ceil(total / query.per_page)),
    per_page: query.per_page,
    total,
    from: count > 0 ? from : null,
    to: count > 0 ? from + count - 1 : null,
  }
}

/** `{success, data[], pagination}` of a list of the voice endpoints (contract: rest 24). */
export const pageOf = <T extends z.ZodType>(item: T) =>
  compiled(z.object({ success: z.literal(true), data: z.array(item), pagination: Pagination }))

/** `{success, data}`. */
export const dataOf = <T extends z.ZodType>(item: T) => compiled(z.object({ success: z.literal(true), data: item }))

/** `{success, data, message}`. */
export const savedOf = <T extends z.ZodType>(item: T) =>
  compiled(z.object({ success: z.literal(true), data: item, message: z.string() }))

/** `{success, message}`. */
export const Done = z.object({ success: z.literal(true), message: z.string() })

const firstYear = 1900
const lastYear = 9998

/** Whether the database can keep what a text says, with a day before or after it in any time zone. */
const isOnCalendar = (value: string): boolean => {
  const year = new Date(value).getUTCFullYear()
  return Number.isNaN(year) || (year >= firstYear && year <= lastYear)
}

const fieldOf = ({ path }: { path?: PropertyKey[] | undefined }) => path?.map(String).join('.')

const offCalendar = (issue: { path?: PropertyKey[] }) =>
  `The ${fieldOf(issue)} field must be in the years ${firstYear} to ${lastYear}.`

/** A day of the calendar, `YYYY-MM-DD`. */
export const calendarDay = z.iso.date().refine(isOnCalendar, { error: offCalendar })

/** An ISO 8601 point in time with its offset, in the years that the database can keep. */
export const timeWithOffset = z.iso.datetime({ offset: true }).refine(isOnCalendar, { error: offCalendar })

const daysAndTimes = [z.iso.date(), z.iso.datetime({ offset: true, local: true })]
const isDayOrTime = (value: string) => daysAndTimes.some((schema) => schema.safeParse(value).success)

/** An ISO 8601 day, which stands for its beginning, or a point in time; in UTC where it says no offset. */
export const dayOrTime = z
  .string()
  .refine(isDayOrTime, { error: (issue) => `The ${fieldOf(issue)} field must be a valid ISO 8601 date and time.` })
  .refine(isOnCalendar, { error: offCalendar })
  .meta({ format: 'date-time' })

/** The point in time that such a text says. */
export const timeOf = (text: string): Date => new Date(/T[\d:.]+$/.test(text) ? `${text}Z` : text)

/** A UUID of a response: not checked, as the live platform makes some of them. */
export const shownId = z.string().meta({ format: 'uuid' })

/** An ISO 8601 point in time of a response. */
export const isoTime = z.string().meta({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] })
