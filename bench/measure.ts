import type { Child } from './child.ts'
import type { Usage } from './contenders/parent.ts'
import type { Contender } from './contenders.ts'
import type { Load, Loaded } from './generator.ts'
import { type Call, callsPerRequest, onTheWire, requestsFor } from './requests.ts'

/** Connections that the load comes over. */
export const connections = 16

/** Medians over the rounds. */
export interface Figures {
  /** Calls answered in a second. */
  perSecond: number
  /** Processor time of the server for one call, in microseconds. */
  cpu: number
  /** The part (0..1) of that time that its main thread took; 0 where the system does not tell. */
  mainShare: number
  /** The first contender's processor time for a call divided by this one's, in the same round. */
  ratio: number
}

/** How long it is measured; seconds are of one measurement. */
export interface Pace {
  rounds: number
  seconds: number
  /**
   * Calls that a contender answers before it is measured: the engine compiles what has run often, and a server runs for
   * days. It begins to be measured before them where they take longer than `warmUpSeconds`.
   */
  warmUpCalls: number
  warmUpSeconds: number
  /** Connections that the load comes over, where it is not the usual number. */
  connections?: number
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

/** Requests that a contender was sent so far: what comes next goes on there. */
const sent = new WeakMap<Contender, number>()

async function measureOnce(
  generator: Child,
  contender: Contender,
  calls: Call[],
  { seconds, connections: over = connections }: Pick<Pace, 'seconds' | 'connections'>,
) {
  const { face, name, server } = contender
  const requests = requestsFor(face, calls).map(onTheWire)
  const first = sent.get(contender) ?? 0
  const load: Load = { port: server.port, requests, first, connections: over, seconds }
  const before = await server.ask<Usage>({})
  const { count, failed, seconds: taken } = await generator.ask<Loaded>(load)
  const after = await server.ask<Usage>({})
  sent.set(contender, first + count)
  if (failed > 0) throw new Error(`${name}: ${failed} of ${count} requests failed`)
  const answered = count * callsPerRequest(face)
  const cpu = after.cpu - before.cpu
  const mainShare = (after.mainCpu - before.mainCpu) / cpu
  return { answered, perSecond: answered / taken, cpu: cpu / answered, mainShare }
}

/** Seconds of load in a row before a measurement: what it left behind is taken away in between. */
const warmUpSlice = 2.5

async function warmUp(
  generator: Child,
  contender: Contender,
  calls: Call[],
  { warmUpCalls, warmUpSeconds, connections }: Pace,
  afterEach: () => Promise<void>,
) {
  let answered = 0
  for (let slice = 0; answered < warmUpCalls && slice * warmUpSlice < warmUpSeconds; slice++) {
    answered += (await measureOnce(generator, contender, calls, { seconds: warmUpSlice, connections })).answered
    await afterEach()
  }
}

/** Measures contenders in paired rounds, each round in another order, after a warm-up of each. */
export async function measure(
  generator: Child,
  contenders: readonly Contender[],
  calls: Call[],
  pace: Pace,
  afterEach: () => Promise<void> = async () => {},
): Promise<Figures[]> {
  const { rounds, seconds, connections } = pace
  for (const contender of contenders) await warmUp(generator, contender, calls, pace, afterEach)
  const measured = contenders.map((): Omit<Figures, 'ratio'>[] => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (round + turn) % contenders.length
      const contender = contenders[index]
      if (contender) measured[index]?.push(await measureOnce(generator, contender, calls, { seconds, connections }))
      await afterEach()
    }
  }
  const base = measured[0] ?? []
  return measured.map((own) => ({
    perSecond: median(own.map(({ perSecond }) => perSecond)),
    cpu: median(own.map(({ cpu }) => cpu)),
    mainShare: median(own.map(({ mainShare }) => mainShare)),
    ratio: median(own.map(({ cpu }, round) => (base[round]?.cpu ?? 0) / cpu)),
  }))
}

/** Resident memory of a server, in megabytes. */
export async function memoryOf({ server }: Contender): Promise<number> {
  const { rss } = await server.ask<Usage>({})
  return rss / 1024 / 1024
}
