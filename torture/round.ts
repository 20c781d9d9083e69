import { join } from 'node:path'
import { Book } from './book.ts'
import { keepPools, runClient } from './clients/run.ts'
import { makeWorld, type World } from './clients/world.ts'
import { conduct } from './conduct/conductor.ts'
import type { Faults } from './faults.ts'
import { openCalls } from './judge/calls.ts'
import { judgeFiles } from './judge/files.ts'
import { judgeHistories } from './judge/history.ts'
import { divergences } from './judge/mirror.ts'
import { judgeMoney } from './judge/money.ts'
import { settle } from './judge/settle.ts'
import { readState } from './judge/state.ts'
import { unfinished } from './judge/unfinished.ts'
import { clean, merge, type Verdict } from './judge/verdict.ts'
import { judgeWrites } from './judge/writes.ts'
import type { VoicePlatform } from './outside/voice-platform.ts'
import type { Receiver } from './outside/webhook-receiver.ts'
import type { Random } from './random.ts'
import type { Fleet } from './server/fleet.ts'
import { withDatabase } from './server/inspect.ts'

/** What all rounds of a run share. */
export interface Run {
  fleet: Fleet
  platform: VoicePlatform
  receiver: Receiver
  faults: Faults
  random: Random
  clients: number
  baseConfigId: number
  /** Where logs are kept. */
  folder: string
  /** Ids of live objects that were judged in earlier rounds. */
  known: Set<unknown>
}

/** What a round came to. */
export interface RoundResult {
  faults: number
  writes: number
  /** How long it was under load and faults. */
  loadMs: number
  /** Undefined: both sides never became equal. */
  settleMs: number | undefined
  verdict: Verdict
}

/** A fault may take up to this long on the average, in milliseconds; then the round ends with fewer. */
const maxPerFault = 2_000

/** Load, faults, rest, judgement. */
export async function runRound(run: Run, name: string, faultCount: number): Promise<RoundResult> {
  const { fleet, faults, random, receiver, baseConfigId } = run
  await Promise.all(fleet.all.map((server) => server.start()))
  const before = faults.total
  const started = Date.now()
  const book = new Book(name)
  const world = await makeWorld(fleet, { name, random, faults, book, baseConfigId, receiverUrl: receiver.url })
  const clients = Array.from({ length: run.clients }, (_, index) => runClient(world, index))
  const pools = keepPools(world)
  const stuck: string[] = []
  const places = { servers: fleet.all, places: fleet, onStuck: (server: string) => stuck.push(server) }
  await conduct({ faults, random, ...places }, faultCount, faultCount * maxPerFault + 10_000)
  world.stopped = true
  const loadMs = Date.now() - started
  await Promise.all([...clients, pools])
  const settleMs = await settle({ ...run, world })
  const verdict = await judge(run, world, settleMs !== undefined)
  verdict.divergences.push(...stuck.map((server) => `${server} did not end when it was asked to`))
  // Whoever looks for the cause of what is wrong reads what each client was told.
  await Bun.write(join(run.folder, `${name}.json`), JSON.stringify(book.writes, undefined, 1))
  return { faults: faults.total - before, writes: book.writes.length, loadMs, settleMs, verdict }
}

async function judge(run: Run, world: World, settled: boolean): Promise<Verdict> {
  const { fleet, platform, known, receiver } = run
  const verdict = clean()
  const state = await readState(world)
  const apart = divergences(state, platform.objects, known)
  verdict.divergences.push(...apart)
  if (!settled && apart.length === 0) verdict.divergences.push('what is left to do does not come to an end')
  merge(verdict, judgeWrites(world, state))
  merge(verdict, await judgeHistories(world, state.assistants))
  merge(verdict, await judgeFiles(world))
  verdict.losses.push(...(await openCalls(world, receiver)))
  await withDatabaseAtRest(fleet, async (ask) => {
    verdict.money.push(...(await judgeMoney(world, ask)))
    verdict.divergences.push(...(await unfinished(ask, fleet)))
  })
  for (const kind of Object.values(platform.objects)) for (const id of kind.keys()) known.add(id)
  return verdict
}

/** The embedded database is read while its server is stopped, which the next round starts again. */
async function withDatabaseAtRest(fleet: Fleet, work: Parameters<typeof withDatabase<void>>[1]): Promise<void> {
  if (fleet.database) return withDatabase(fleet, work)
  await Promise.all(fleet.servers.map((server) => server.stop()))
  await withDatabase(fleet, work)
}
