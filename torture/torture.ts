import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCatalogue } from './clients/world.ts'
import { Faults } from './faults.ts'
import type { Options } from './options.ts'
import { startLanguageModel } from './outside/language-model.ts'
import { startObjectStore } from './outside/object-store.ts'
import { startVoicePlatform } from './outside/voice-platform.ts'
import { startReceiver } from './outside/webhook-receiver.ts'
import { createRandom } from './random.ts'
import { faultTable, roundLine, summary } from './report.ts'
import { type RoundResult, type Run, runRound } from './round.ts'
import { type Fleet, type Setup, startFleet } from './server/fleet.ts'

/** What a run came to. */
export interface TortureResult {
  line: string
  well: boolean
  /** Where the servers' logs are; they are gone when all is well. */
  folder: string
}

/** Never resolves; rejects when a run is broken off. */
const brokenOff = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const give = () => reject(new Error('The run was broken off.'))
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })

/**
 * Runs the torture; `say` gets a line for each round and for each end that nobody asked for. `signal` breaks it off.
 * Whatever ends it, the servers are gone then.
 */
export async function torture(
  options: Options & Setup,
  say: (text: string) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<TortureResult> {
  const random = createRandom(options.seed)
  const faults = new Faults(random.fork())
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-torture-'))
  const platform = await startVoicePlatform(faults, random.fork())
  const model = await startLanguageModel(faults, random.fork())
  const store = await startObjectStore(faults, random.fork())
  const receiver = await startReceiver()
  const startedAt = Date.now()
  let ownEnds = 0
  let fleet: Fleet | undefined
  const rounds: RoundResult[] = []
  try {
    fleet = await startFleet({
      ...options,
      ...{ folder, store, faults },
      random: random.fork(),
      platformUrl: platform.url,
      modelUrl: model.url,
      onOwnEnd(name, code) {
        ownEnds += 1
        say(`${name} ended by itself with code ${code}`)
      },
    })
    const baseConfigId = await makeCatalogue(fleet, random)
    const known = new Set<unknown>()
    const run: Run = {
      folder,
      fleet,
      platform,
      receiver,
      faults,
      random,
      clients: options.clients,
      baseConfigId,
      known,
    }
    for (let number = 1; number <= options.rounds; number += 1) {
      const left = options.faults - faults.total
      const share = Math.max(1, Math.round(left / (options.rounds - number + 1)))
      const result = await Promise.race([runRound(run, `t${options.seed}r${number}`, share), brokenOff(signal)])
      rounds.push(result)
      say(roundLine(number, result))
    }
  } catch (error) {
    say(`logs are in ${folder}`)
    throw error
  } finally {
    await fleet?.stop()
    for (const outside of [platform, model, store, receiver]) outside.stop()
  }
  const minutes = (Date.now() - startedAt) / 60_000
  say(`${faultTable(faults.byKind)}\n${(faults.total / minutes).toFixed(0)} faults a minute`)
  const { line, well } = summary(rounds, ownEnds)
  if (well) await rm(folder, { recursive: true, force: true })
  return { line, well, folder }
}
