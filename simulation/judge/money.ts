import { describe, type Write } from '../book.ts'
import { firstPayment } from '../clients/money.ts'
import type { Engine } from '../database/engine.ts'
import { type Violation, violation } from './violation.ts'

const wrong = violation('money')

/** The one wallet, and what it should be; amounts are micro-dollars. */
interface Wallet {
  balance: number
  held: number
  entries: number
  holds: number
}

/**
 * What holds at every moment: the balance is the sum of its ledger, what is held is the sum of the holds, and no turn
 * spends what another holds: what is missing is what turns used beyond what they had said.
 */
export async function judgeWallet({ handle: { sql } }: Engine, writes: readonly Write[]): Promise<Violation[]> {
  const [wallet] = await sql<Wallet[]>`
    select balance::float8 as balance, held::float8 as held, (select coalesce(sum(delta), 0) from ledger)::float8 as entries,
      (select coalesce(sum(amount), 0) from holds)::float8 as holds from wallets`
  if (!wallet) return [wrong('the wallet is gone')]
  const { balance, held, entries, holds } = wallet
  const beyond = writes.reduce((sum, write) => sum + (write.beyond ?? 0), 0)
  const found: Violation[] = []
  if (balance !== entries) found.push(wrong(`a balance of ${balance}, and entries of ${entries}`))
  if (held !== holds) found.push(wrong(`${held} are held, and the holds are ${holds}`))
  if (balance - held < -beyond)
    found.push(wrong(`a balance of ${balance} with ${held} held, and ${beyond} used beyond`))
  return found
}

interface LedgerEntry {
  turnId: string | null
  paymentId: string | null
  delta: number
  cost: number | null
}

/** Compares the ledger with what clients were told: each turn and each payment is there once, or not at all. */
export async function judgeLedger({ handle: { sql } }: Engine, writes: readonly Write[]): Promise<Violation[]> {
  const entries = await sql<LedgerEntry[]>`
    select turn_id as "turnId", payment_id as "paymentId", delta::float8 as delta,
      (prompt_tokens + 2 * completion_tokens)::float8 as cost from ledger order by id`
  const found: Violation[] = []
  for (const { turnId, delta, cost } of entries) {
    if (turnId !== null && delta !== -(cost ?? 0))
      found.push(wrong(`turn ${turnId} cost ${cost}, and was charged ${-delta}`))
  }
  for (const write of writes) {
    if (write.subject !== 'turn' && write.subject !== 'payment') continue
    const mine = entries.filter(({ turnId, paymentId }) => [turnId, paymentId].includes(write.target))
    const isMade = mine.length === 1
    const again = writes.some(({ target, outcome }) => target === write.target && outcome !== 'refused')
    if (mine.length > 1) found.push(wrong(`in the ledger ${mine.length} times: ${describe(write)}`))
    if (write.outcome === 'done' && !isMade) found.push(wrong(`not in the ledger: ${describe(write)}`))
    if (write.outcome === 'refused' && !again && isMade)
      found.push(wrong(`in the ledger although refused: ${describe(write)}`))
    if (write.subject === 'payment' && mine.some(({ delta }) => delta !== write.amount)) {
      found.push(wrong(`credited with another amount: ${describe(write)}`))
    }
  }
  const known = new Set([...writes.map(({ target }) => target), firstPayment.paymentId])
  for (const { turnId, paymentId } of entries) {
    const id = turnId ?? paymentId
    if (id === null || !known.has(id)) found.push(wrong(`an entry that nobody asked for: ${id}`))
  }
  return found
}
