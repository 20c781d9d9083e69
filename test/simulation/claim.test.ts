import { expect, test } from 'vitest'
import { claimDatabase } from '../../simulation/database/engine.ts'
import { openDatabase } from '../../src/db/client.ts'
import { createTestDatabase, onServer } from '../support/database.ts'

test.skipIf(!onServer())('a second simulation on a database is refused until the first one ends', async () => {
  const url = await createTestDatabase()
  const open = () => openDatabase({ url, max: 1 })
  const [first, second] = [await open(), await open()]
  try {
    await claimDatabase(first)
    await expect(claimDatabase(second, 20)).rejects.toThrow(
      'Another simulation uses this database: no two may share one.',
    )
    await first.close()
    await expect(claimDatabase(second, 60_000)).resolves.toBeUndefined()
  } finally {
    await Promise.all([first.close(), second.close()])
  }
})
