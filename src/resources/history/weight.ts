import { isObject } from '../../json/object.ts'

/** Of a number that JavaScript writes with an exponent: PostgreSQL writes all digits. */
const exponentWeight = 330

/** How many bytes of text PostgreSQL makes of a value in `jsonb`, or a few more. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value))
  if (typeof value === 'number') return String(value).includes('e') ? exponentWeight : String(value).length
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + weightOf(item) + 2, 2)
  if (!isObject(value)) return 5
  let sum = 2
  for (const key of Object.keys(value)) sum += weightOf(key) + weightOf(value[key]) + 4
  return sum
}
