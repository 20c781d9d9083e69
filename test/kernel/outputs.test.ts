import { expect, test } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../src/router.ts'

const outputs = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { output?: z.ZodType } }>,
).flatMap(([path, { _def }]) => (_def.output ? [{ path, output: _def.output }] : []))

/** The schemas of which a schema is made, each with its place in it. */
function parts(schema: z.ZodType): [string, z.ZodType][] {
  const {
    shape,
    element,
    innerType,
    keyType,
    valueType,
    options,
    items,
    in: before,
    out,
  } = schema.def as unknown as Record<string, unknown>
  const named = Object.entries({ '[]': element, '?': innerType, '{key}': keyType, '{}': valueType, in: before, out })
  const listed = [options, items].flatMap((list) => (Array.isArray(list) ? list.map((one) => ['|', one]) : []))
  const all = [...Object.entries(shape ?? {}), ...named, ...listed] as [string, unknown][]
  return all.filter((part): part is [string, z.ZodType] => part[1] instanceof z.ZodType)
}

/** Where a schema refuses values of its own type: by a length, a bound, a form or a rule. */
function limits(schema: z.ZodType, at: string, sound: Set<z.ZodType>): string[] {
  if (sound.has(schema)) return []
  const isLimited = (schema.def.checks ?? []).length > 0 || schema instanceof z.ZodStringFormat
  const below = parts(schema).flatMap(([name, part]) => limits(part, `${at}.${name}`, sound))
  if (!isLimited && below.length === 0) sound.add(schema)
  return [...(isLimited ? [at] : []), ...below]
}

test('a response has types and no limits: whatever is stored can be read', () => {
  expect(outputs.length).toBeGreaterThan(100)
  const sound = new Set<z.ZodType>()
  expect(outputs.flatMap(({ path, output }) => limits(output, path, sound))).toEqual([])
})
