import type { Random } from './random.ts'

/** How the voice platform fails one request. */
export const platformFaults = [
  'drop before',
  'drop after',
  'tear',
  'truncate',
  'delay',
  'double',
  'late',
  '429',
  '500 before',
  '503 after',
] as const
export type PlatformFault = (typeof platformFaults)[number]

/** A request may be sent again by what lies between only when it is idempotent, and a read changes nothing. */
const fits: Partial<Record<PlatformFault, readonly string[]>> = {
  double: ['PATCH', 'DELETE'],
  late: ['POST', 'PATCH', 'DELETE'],
  'drop after': ['POST', 'PATCH', 'DELETE'],
  '503 after': ['POST', 'PATCH', 'DELETE'],
}

/** Counts what was broken, and holds the faults that wait for a request of the voice platform. */
export class Faults {
  readonly byKind = new Map<string, number>()
  private armed: PlatformFault[] = []
  total = 0
  /** When something last broke, in milliseconds. */
  lastAt = 0

  constructor(private readonly random: Random) {}

  count(kind: string): void {
    this.total += 1
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + 1)
    this.touch()
  }

  /** Something that was broken before has its effect only now. */
  touch(): void {
    this.lastAt = Date.now()
  }

  get waiting(): number {
    return this.armed.length
  }

  arm(): void {
    const fault = this.random.pick(platformFaults)
    if (fault) this.armed.push(fault)
  }

  disarm(): void {
    this.armed = []
  }

  /** The fault that this request meets, counted. */
  take(method: string): PlatformFault | undefined {
    const index = this.armed.findIndex((fault) => fits[fault]?.includes(method) ?? true)
    const [fault] = index < 0 ? [] : this.armed.splice(index, 1)
    if (fault) this.count(`platform: ${fault}`)
    return fault
  }
}
