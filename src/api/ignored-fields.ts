import type { Account } from '../accounts/account.ts'
import { isObject } from '../json/object.ts'
import type { OperationMeta } from './meta.ts'

/**
 * What an operation reads of an input: all but the fields that do not count for the caller, which are ignored, not
 * refused, whatever is in them (contract: accounts 7).
 */
export function withoutIgnoredFields(
  input: unknown,
  { honours }: OperationMeta,
  account: Account | undefined,
): unknown {
  if (!honours || !account || !isObject(input)) return input
  const ignored = Object.entries(honours).flatMap(([field, mayName]) => (mayName(account) ? [] : [field]))
  if (!ignored.some((field) => Object.hasOwn(input, field))) return input
  return Object.fromEntries(Object.entries(input).filter(([field]) => !ignored.includes(field)))
}
