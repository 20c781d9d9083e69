import { expect, test } from 'vitest'
import { ApiError } from '../../src/api/errors/api-error.ts'
import { errorEntry, errorNames } from '../../src/api/errors/catalogue.ts'
import { ErrorResponse } from '../../src/api/errors/error-response.ts'

const headerOf = (error: ApiError) => new ErrorResponse(error, 'agents').headers['x-should-retry']

/** The official clients of completions send 409 and 5xx again by themselves. */
test.each(errorNames.map((name) => [name, errorEntry(name)] as const))('%s', (name, { status, headers = {} }) => {
  const isFinal = [409, 500, 502].includes(status) && !('retry-after' in headers)
  expect(headerOf(new ApiError(name, { detail: 'x' }))).toBe(isFinal ? 'false' : undefined)
})

test('what says when to try again may be tried again', () => {
  expect(headerOf(new ApiError('internal_error', { headers: { 'retry-after': '5' } }))).toBeUndefined()
})
