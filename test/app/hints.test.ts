import { expect, test } from 'vitest'
import { hintsFor } from '../../src/app/bootstrap/hints.ts'
import type { Database } from '../../src/db/client.ts'
import { testDatabase } from '../support/database.ts'

/** A database whose reads fail with an error of this code. */
async function failing(code: string): Promise<Database> {
  const { db } = await testDatabase()
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'select') return Reflect.get(target, name)
      return () => {
        throw Object.assign(new Error('read failed'), { code })
      }
    },
  })
}

test('a server that serves already is not ended by a connection that is lost while its hints are looked for', async () => {
  expect(await hintsFor(await failing('CONNECTION_CLOSED'))).toEqual([])
  await expect(hintsFor(await failing('42P01'))).rejects.toThrow('read failed')
})
