import type { Json } from '../../../json/object.ts'

/** What says of each key which values it may have. */
export type Checks = Record<string, { safeParse(value: unknown): { success: boolean } }>

/** The values without those that a check refuses; keys without a check stay. */
export const fitting = (values: Json, checks: Checks): Json =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !Object.hasOwn(checks, name) || checks[name]?.safeParse(value).success,
    ),
  )
