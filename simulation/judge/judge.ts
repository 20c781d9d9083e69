import { reconcile } from '../clients/settling.ts'
import type { Engine } from '../database/engine.ts'
import type { Sightings } from '../outside/sightings.ts'
import type { Simulated } from '../simulated.ts'
import { judgeHistories } from './histories.ts'
import { judgeLedger, judgeWallet } from './money.ts'
import { judgeNumbers } from './numbers.ts'
import { judgeOutside } from './outside.ts'
import { judgeServing } from './serving.ts'
import { judgeSides } from './sides.ts'
import { judgeSquads } from './squads.ts'
import { readState, unfinished } from './state.ts'
import { type Violation, violation } from './violation.ts'
import { judgeSquadWrites, judgeWrites } from './writes.ts'

interface Judged extends Simulated {
  engine: Engine
  sightings: Sightings
  /** Requests that were lost and are still to arrive. */
  arriving(): number
  /** Whether a transaction is open, so that what the database shows is not committed. */
  isBusy(): boolean
}

const lookEveryMs = 2_000
/** Everything ends within this once nothing breaks any more. */
const maxSettleMs = 180_000
const maxSweepMs = 120_000
const maxTransactionMs = 30_000
/** For how long nothing may happen in the end. */
const quietMs = 20_000

/** Lets time pass until no transaction is open. */
const committed = ({ world, isBusy }: Judged) => world.run(() => !isBusy(), maxTransactionMs)

/** Lets time pass until nobody stands still any more, and what was asked of those meanwhile has ended. */
async function wakeAll({ world, instances }: Judged): Promise<void> {
  const awakeAt = Math.max(0, ...instances().map(({ process }) => process.pausedUntil))
  if (awakeAt > world.now()) await world.run(() => false, awakeAt - world.now() + quietMs)
}

/** Lets time pass until nothing is under way; what is, when it does not end. */
async function settle(judged: Judged): Promise<Violation[]> {
  const { world, engine, arriving } = judged
  await wakeAll(judged)
  let left: string[] = []
  for (const until = world.now() + maxSettleMs; world.now() < until; ) {
    await world.run(() => false, lookEveryMs)
    await committed(judged)
    left = await unfinished(engine.handle)
    if (left.length === 0 && arriving() === 0) return []
  }
  return left.map(violation('settles'))
}

/** Has everything looked at for what was changed outside. */
async function sweep(judged: Judged): Promise<Violation[]> {
  const { world, engine } = judged
  const asked = world.date()
  world.schedule('a sweep is asked for', 0, () => void judged.instances()[0]?.services.drift.request())
  const isDone = async () => {
    const [row] = await engine.handle.sql<{ done: boolean }[]>`
      select not requested and owner is null and finished_at >= ${asked.toISOString()} as done from drift_sweeps`
    return row?.done === true
  }
  for (const until = world.now() + maxSweepMs; world.now() < until; ) {
    await world.run(() => false, lookEveryMs)
    await committed(judged)
    if (await isDone()) return []
  }
  return [violation('settles')('a sweep for drift does not end')]
}

/** Waits until both sides agree, and says where they do not. */
export async function judge(judged: Judged): Promise<Violation[]> {
  const { world, engine, book, sightings, objects } = judged
  const found = [...book.broken]
  found.push(...(await settle(judged)))
  found.push(...(await sweep(judged)))
  await committed(judged)
  const first = await readState(engine.handle)
  found.push(
    ...judgeSides(judged, first),
    ...judgeSquads(judged, first),
    ...(await judgeWallet(engine, book.writes)),
    ...(await judgeLedger(engine, book.writes)),
    ...judgeWrites(judged, first, sightings),
    ...judgeSquadWrites(judged, first),
    ...judgeHistories(judged, first),
    ...judgeOutside(judged, first, sightings),
    ...judgeNumbers(judged, first),
  )
  if (found.length > 0) return found

  await reconcile(judged, first.drifts)
  found.push(...(await settle(judged)))
  found.push(...(await sweep(judged)))
  await committed(judged)
  const second = await readState(engine.handle)
  const strange = second.drifts.filter(({ difference }) => difference !== 'unmanaged')
  found.push(
    ...strange.map(({ kind, ref, leaves }) => violation('both sides')(`${kind} ${ref} still differs: ${leaves}`)),
    ...judgeSides(judged, second),
    ...judgeSquads(judged, second),
    ...judgeOutside(judged, second, sightings),
  )
  const { writes } = objects
  await world.run(() => false, quietMs)
  found.push(...(await sweep(judged)))
  if (objects.writes > writes)
    found.push(violation('stays')(`${objects.writes - writes} writes although nothing was asked for`))
  return found.length > 0 ? found : judgeServing(judged)
}
