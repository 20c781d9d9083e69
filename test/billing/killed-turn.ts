import { writeSync } from 'node:fs'
import { openDatabase } from '../../src/db/client.ts'
import { reserve, settle } from '../../src/resources/billing/spend.ts'
import { authenticator } from '../../src/resources/tokens/authenticate.ts'
import { systemClock } from '../../src/runtime/clock.ts'

/** Where a turn is killed. */
export type Step = 'reserved' | 'settled' | 'committed'

export interface KilledTurn {
  database: { url?: string; dataDir?: string }
  token: string
  model: string
  turnId: string
  step: Step
}

/** Says that the step is reached, and waits there to be killed. */
async function wait(step: Step): Promise<void> {
  writeSync(1, step)
  await Bun.sleep(60_000)
}

/** A process of its own: runs a turn as far as its step. */
async function main({ database, token, model, turnId, step }: KilledTurn): Promise<void> {
  const { db } = await openDatabase(database)
  const account = await authenticator(db, systemClock).authenticate(token)
  if (!account) throw new Error('no account')
  const estimate = { promptTokens: 100, completionTokens: 200 }
  const turn = { payerWorkspaceId: account.workspaceId, model, estimate, turnId }
  const hold = await reserve({ db, account, signal: new AbortController().signal }, turn)
  if (step === 'reserved') await wait(step)
  await db.transaction(async (tx) => {
    await settle(tx, hold, estimate)
    if (step === 'settled') await wait(step)
  })
  await wait('committed')
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}'))
