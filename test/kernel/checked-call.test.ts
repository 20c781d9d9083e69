import { expect, test } from 'vitest'
import { z } from 'zod'
import type { RequestContext } from '../../src/api/context.ts'
import { get } from '../../src/api/meta.ts'
import { operationsOf } from '../../src/api/operations.ts'
import { publicProcedure, router } from '../../src/api/trpc.ts'

const procedure = publicProcedure.meta(get('/things', 'List things', { tag: 'Things' })).output(z.string())

const refused = [
  ['another middleware', procedure.use(({ next }) => next()).query(() => 'a')],
  [
    'two input schemas',
    procedure
      .input(z.object({}))
      .input(z.object({}))
      .query(() => 'a'),
  ],
] as const

test.each(refused)('a procedure with %s has no REST face that would leave it out', (_what, list) => {
  expect(() => operationsOf(router({ things: router({ list }) }))).toThrow('things.list has')
})

test('what can only be checked by waiting is waited for', async () => {
  const input = z.object({ a: z.string().refine(async (text) => text === 'yes', 'It must be yes.') })
  const list = procedure.input(input).query(({ input: { a } }) => a)
  const [operation] = operationsOf(router({ list }))
  const call = (a: string) =>
    operation?.call({ ctx: {} as RequestContext, input: { a }, signal: new AbortController().signal })
  for (const _again of [1, 2]) {
    expect(await call('yes')).toBe('yes')
    await expect(call('no')).rejects.toMatchObject({ message: 'It must be yes.' })
  }
})

test('one with none of them has', () => {
  const list = procedure.input(z.object({})).query(() => 'a')
  expect(operationsOf(router({ things: router({ list }) }))).toMatchObject([{ name: 'things.list', path: '/things' }])
})
