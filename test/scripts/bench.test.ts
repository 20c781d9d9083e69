import { expect, test } from 'vitest'
import { checkUnread } from '../../bench/check.ts'
import { few, many } from '../../bench/contenders/dummies.ts'
import { parts, readOptions, usage } from '../../bench/options.ts'
import { getCalls, unreadCalls } from '../../bench/requests.ts'
import { operationsOf } from '../../src/api/operations.ts'

test('reads of records that are not kept go through every assistant once, others through some', () => {
  const tenants = ['one', 'two'].map((token) => ({
    token,
    assistantIds: Array.from({ length: 500 }, (_, number) => `${token}-${number}`),
  }))
  const idsOf = (calls: ReturnType<typeof getCalls>) => calls.map(({ path }) => path.split('/').at(-1))
  const all = tenants.flatMap(({ assistantIds }) => assistantIds)
  expect(idsOf(unreadCalls(tenants)).toSorted()).toEqual(all.toSorted())
  expect(getCalls(tenants)).toHaveLength(200)
})

test('records that a server would keep are not called unread', () => {
  const answers = [{ text: 'a'.repeat(8_000) }]
  expect(() => checkUnread(answers, 10_000)).not.toThrow()
  expect(() => checkUnread(answers, 2_000)).toThrow('would keep every record')
})

test('procedures are compared at ten and at 300, with what both serve', () => {
  const pathsOf = (router: Parameters<typeof operationsOf>[0]) => operationsOf(router).map(({ path }) => path)
  expect(Object.keys(few()._def.procedures)).toHaveLength(10)
  expect(Object.keys(many()._def.procedures)).toHaveLength(300)
  expect(pathsOf(few())).toContain('/assistants/{assistantId}')
  expect(pathsOf(many())).toEqual(expect.arrayContaining(['/assistants/{assistantId}', '/agents', '/drift']))
})

test('a part that is not known is refused in words', () => {
  expect([...readOptions(['--only', 'unread,start']).only]).toEqual(['unread', 'start'])
  expect(() => readOptions(['--only', 'cold'])).toThrow('--only takes get, unread, list,')
})

test('every part is explained', () => {
  expect(parts.length).toBeGreaterThan(10)
  expect(parts.filter((part) => !new RegExp(`\\b${part}\\b`).test(usage))).toEqual([])
})
