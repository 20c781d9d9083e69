import { expect, test } from 'vitest'
import { readDescription } from '../../fuzz/description.ts'
import { newUser, testApp } from '../support/app.ts'

const description = readDescription()

/** Every operation whose path names something, and the names. */
const named = description.operations.flatMap((operation) => {
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  return names.length > 0 ? [{ ...operation, names }] : []
})

const unlikely = [
  '%00',
  'a%00b',
  '%0d%0a',
  '%1b',
  '%7f',
  '%C2%85',
  '%',
  '%ff',
  'x'.repeat(300),
  '%20',
  '%E2%80%AE',
  "'",
]

/** The path with one of its names replaced, and with something that could be an id in the others. */
const filled = (path: string, name: string, value: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, other: string) => (other === name ? value : '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'))

test('whatever stands in place of a name in a path is answered as described, and never as a value that is wrong', async () => {
  const app = await testApp()
  const { token } = await newUser(app.database, { role: 'admin' })
  const found: string[] = []
  for (const operation of named) {
    for (const name of operation.names) {
      for (const value of unlikely) {
        const target = filled(operation.path, name, value)
        const body = operation.method === 'GET' || operation.method === 'DELETE' ? undefined : {}
        const response = await app.send(operation.method, target, { token, body })
        const type = response.headers.get('content-type')?.split(';')[0] ?? ''
        const { status } = response
        const answer = await response.json()
        const problem = description.problem(operation, status, type, answer)
        const isRefused = [400, 404].includes(status) || (status === 422 && answer.errors?.[name] === undefined)
        if (problem || !isRefused) found.push(`${operation.method} ${target}: ${status} ${problem}`)
      }
    }
  }
  expect(found).toEqual([])
  expect(named.length).toBeGreaterThan(50)
})
