import type { z } from 'zod'
import type { Account } from '../accounts/account.ts'
import { isObject, type Json } from '../json/object.ts'
import { addedFor } from './auth/gate.ts'
import type { ServiceContext } from './context.ts'
import type { OperationMeta } from './meta.ts'

/** The part of an input that an issue is about: a field, or a key of a field that is an object. */
const partOf = (input: Json, [field, key]: readonly PropertyKey[]): string[] =>
  [field, ...(isObject(input[String(field)]) && key !== undefined ? [key] : [])].map(String)

const partIn = (value: unknown, part: readonly string[]): unknown =>
  part.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)

/** An input without a part. */
function without(input: Json, [field = '', key]: readonly string[]): Json {
  const { [field]: value, ...others } = input
  if (key === undefined || !isObject(value)) return others
  const { [key]: _left, ...rest } = value
  return { ...others, [field]: rest }
}

/** The parts of an input that issues are about. */
export const partsOfIssues = (input: Json, issues: readonly z.core.$ZodIssue[]): string[][] =>
  issues.map(({ path }) => partOf(input, path)).filter((part) => part.length > 0)

/** An input without those of its parts that are what one of `shown` has in their place, and the parts that stay. */
export function withoutParts(
  input: Json,
  parts: readonly string[][],
  shown: readonly Json[],
): { rest: Json; left: string[][] } {
  const isShown = (part: string[]) => {
    const value = partIn(input, part)
    return value !== undefined && shown.some((side) => Bun.deepEquals(partIn(side, part), value))
  }
  const { out = [], left = [] } = Object.groupBy(parts, (part) => (isShown(part) ? 'out' : 'left'))
  return { rest: out.reduce(without, input), left }
}

/** What is to be checked in place of an input that was refused, or undefined where its refusal stands. */
export async function inputWithoutUnchanged(
  ctx: ServiceContext,
  account: Account | undefined,
  meta: OperationMeta,
  refused: { input: unknown; error: z.core.$ZodError },
): Promise<unknown> {
  const { input, error } = refused
  if (!meta.withoutUnchanged || !account || !isObject(input)) return undefined
  return await meta.withoutUnchanged({ ...ctx, ...addedFor(ctx, account, meta) }, input, error.issues)
}
