import { isObject } from '../../../json/object.ts'

import { textOf } from '../../mapping/settings.ts'
import type { PlatformObject } from '../store/store.ts'

/** What a number's `call.ringing` hook does with a call, instead of whoever would answer it. */
export interface Ringing {
  endedReason: 'call.ringing.hook-executed-say' | 'call.ringing.hook-executed-transfer'
  /** What is said, in order. */
  said: string[]
  destination: Record<string, unknown> | undefined
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

/** Whether a hook's filters let a caller through to it; the filters of `call.ringing` look at the caller's number. */
const meets = (hook: Record<string, unknown>, caller: string | undefined) =>
  listOf(hook.filters).every(
    ({ startsWith }) =>
      Array.isArray(startsWith) && startsWith.some((prefix) => caller?.startsWith(String(prefix)) ?? false),
  )

/** What the first fitting `call.ringing` hook of a number does; undefined when none does anything. */
export function ringingOf(number: PlatformObject | undefined, caller: string | undefined): Ringing | undefined {
  const hook = listOf(number?.body.hooks).find((one) => one.on === 'call.ringing' && meets(one, caller))
  const actions = listOf(hook?.do)
  const said = actions.flatMap(({ type, exact }) => (type === 'say' ? (textOf(exact) ?? []) : []))
  const transfer = actions.find(({ type }) => type === 'transfer')
  if (transfer) {
    const destination = isObject(transfer.destination) ? transfer.destination : undefined
    return { endedReason: 'call.ringing.hook-executed-transfer', said, destination }
  }
  return said.length > 0 ? { endedReason: 'call.ringing.hook-executed-say', said, destination: undefined } : undefined
}
