import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { releaseExpiredHolds } from '../../src/resources/billing/expiry.ts'
import { testApp } from '../support/app.ts'
import { createTestDatabase, layOutDatabase } from '../support/database.ts'
import { contextOf, credit, expireHolds, newModel, newPayer, spend, stored, turnOf } from '../support/payer.ts'
import { shortLived } from '../support/short-lived.ts'
import type { KilledTurn, Step } from './killed-turn.ts'

/** Runs a turn in a process of its own, until it is killed at its step. */
async function kill(turn: KilledTurn): Promise<void> {
  const script = join(import.meta.dirname, 'killed-turn.ts')
  const child = Bun.spawn([process.execPath, script, JSON.stringify(turn)], {
    env: shortLived,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let reached = ''
  for await (const chunk of child.stdout) {
    reached += new TextDecoder().decode(chunk)
    if (reached === turn.step) child.kill('SIGKILL')
  }
  await child.exited
  expect(reached).toBe(turn.step)
}

/** A database that processes open one after the other. */
let place: KilledTurn['database']

beforeAll(async () => {
  const server = inject('databaseTemplate')
  if (server.engine === 'server') {
    place = { url: await createTestDatabase(server.database) }
    return
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-killed-turn-'))
  layOutDatabase(dataDir)
  place = { dataDir }
})
afterAll(() => {
  if (place?.dataDir) rmSync(place.dataDir, { recursive: true })
})

test.each([
  ['reserved', [1_000], 1_000, 300],
  ['settled', [1_000], 1_000, 300],
  ['committed', [1_000, -300], 700, 0],
] as const)(
  'a turn that is killed once it has %s is charged not at all, or once',
  async (step, deltas, balance, held) => {
    const before = await testApp({ database: await openDatabase(place) })
    const user = await newPayer(before, 'usd')
    await credit(before, user, 'usd', 1_000)
    const model = await newModel(before, 1, 1)
    await before.database.close()

    await kill({ database: place, token: user.token, model, turnId: crypto.randomUUID(), step: step satisfies Step })

    const after = await testApp({ database: await openDatabase(place) })
    await expect.poll(() => stored(after, user, 'usd')).toMatchObject({ balance, deltas, held })
    await expireHolds(after.database)
    await releaseExpiredHolds(after.database.db)
    expect(await stored(after, user, 'usd')).toMatchObject({ balance, held: 0, holds: [], deltas })
    const ctx = await contextOf(after, user)
    expect(await spend(ctx, turnOf(user, model, balance, 0))).toMatchObject({ balance_usd: 0 })
    await after.database.close()
  },
)
