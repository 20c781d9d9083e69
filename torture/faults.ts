import type { Random } from './random.ts'

/** How a request over HTTP breaks. */
export const httpFaults = [
  'drop before',
  'drop after',
  'tear',
  'truncate',
  'delay',
  '429',
  '500 before',
  '503 after',
] as const
export type HttpFault = (typeof httpFaults)[number]

/** What waits for one request, by whose it is, and how it breaks. */
export const armable = {
  platform: [...httpFaults, 'double', 'late'],
  model: ['drop before', 'drop after', 'tear', 'truncate', 'delay', '429', '500 before'],
  store: ['drop before', 'drop after', 'tear', 'delay', '500 before', '503 after'],
  wire: ['drop query', 'drop response', 'tear', 'delay'],
  client: ['gone', 'torn'],
} as const

export type Target = keyof typeof armable
export type FaultOf<At extends Target> = (typeof armable)[At][number]

export const targets = Object.keys(armable) as Target[]

/** How many wait at a target at the same time: more mean that requests come too slowly for more. */
const maxArmed: Record<Target, number> = { platform: 5, model: 2, store: 2, wire: 2, client: 2 }

/** A part of the requests stays whole, so that work goes on. */
const brokenShare = 0.5

/** Counts what was broken, by kind, and holds the faults that wait for a request. */
export class Faults {
  readonly byKind = new Map<string, number>()
  private readonly armed: { [At in Target]: FaultOf<At>[] } = {
    platform: [],
    model: [],
    store: [],
    wire: [],
    client: [],
  }
  total = 0
  /** When something last broke, in milliseconds. */
  lastAt = 0

  constructor(private readonly random: Random) {}

  /** Something was broken: called where it hit, so that a fault that met nothing is not counted. */
  count(kind: string): void {
    this.total += 1
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + 1)
    this.touch()
  }

  /** Something that was broken before has its effect only now. */
  touch(): void {
    this.lastAt = Date.now()
  }

  /** Has a fault wait for a request of `target`, unless enough do. */
  arm<At extends Target>(target: At): void {
    const waiting: FaultOf<At>[] = this.armed[target]
    const fault = this.random.pick<FaultOf<At>>(armable[target])
    if (fault && waiting.length < maxArmed[target]) waiting.push(fault)
  }

  disarm(): void {
    for (const target of targets) this.armed[target].length = 0
  }

  /** The fault that a request meets, if any, among those that `fits` lets through. Whoever takes it counts it. */
  take<At extends Target>(target: At, fits: (fault: FaultOf<At>) => boolean = () => true): FaultOf<At> | undefined {
    const waiting: FaultOf<At>[] = this.armed[target]
    const index = waiting.findIndex(fits)
    return index < 0 || !this.random.chance(brokenShare) ? undefined : waiting.splice(index, 1)[0]
  }
}
