import { type Carrier, CarrierError, type OwnedNumber } from '../../src/carrier/carrier.ts'
import type { Process } from '../world/process.ts'
import type { World } from '../world/world.ts'
import { lateMs, requestFault, type Weather, wireMs } from './faults.ts'
import { newId } from './live-objects.ts'

/** One purchase that the carrier was paid for. */
export interface Charge {
  number: string
  reference: string
}

const credentials = { provider: 'twilio', twilioAccountSid: 'ACsimulated', twilioAuthToken: 'simulated' } as const
const timeoutMs = 10_000
/** So much later than it was asked for a purchase arrives at most. */
const maxLateMs = 6_500
const unknown = () => new CarrierError('unknown', 'The carrier did not answer.')
const unavailable = () => new CarrierError('unavailable', 'The carrier cannot be reached.')

/** Who sells numbers: each once, and for money. */
export function createCarrierModel(world: World, weather: Weather) {
  const owned = new Map<string, OwnedNumber>()
  const charges: Charge[] = []
  let late = 0

  const buy = (number: string, reference: string): OwnedNumber => {
    world.note(`carrier sells ${number}`)
    if (owned.has(number)) throw new CarrierError('refused', 'This number is no longer available.')
    const bought = { id: newId(world), number, reference, sms: true }
    owned.set(number, bought)
    charges.push({ number, reference })
    return bought
  }

  const release = (id: string) => {
    for (const [number, one] of owned) if (one.id === id) owned.delete(number)
  }

  /** Has `work` done at the carrier for a process, unless it is broken on the way. */
  const ask = <T>(process: Process, what: string, work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const fault = requestFault(world, weather)
      const hear = (run: () => void, ms = wireMs(world)) =>
        world.schedule(`${process.name} hears of ${what}`, ms, run, process)
      const perform = (heard: boolean) => {
        try {
          const result = work()
          if (heard) hear(() => resolve(result))
        } catch (error) {
          if (heard) hear(() => reject(error))
        }
      }
      const arrive = (run: () => void, ms = wireMs(world)) => world.schedule(`arrives ${what}`, ms, run)
      if (fault === 'refused' || fault === 'too many') return void hear(() => reject(unavailable()))
      if (fault === 'lost before' || fault === 'swallowed' || fault === 'fails before') {
        return void hear(() => reject(unknown()), fault === 'swallowed' ? timeoutMs : undefined)
      }
      if (fault === 'late') {
        late += 1
        arrive(
          () => {
            late -= 1
            perform(false)
          },
          Math.min(maxLateMs, lateMs(world)),
        )
        return void hear(() => reject(unknown()))
      }
      const heard = fault === undefined || fault === 'slow' || fault === 'twice'
      arrive(() => perform(heard))
      if (!heard) hear(() => reject(unknown()), fault === 'hangs' ? timeoutMs : lateMs(world))
    })

  return {
    owned: owned as ReadonlyMap<string, OwnedNumber>,
    charges: charges as readonly Charge[],
    late: () => late,
    carrierOf: (process: Process): Carrier => ({
      name: 'twilio',
      credentials,
      offer: async () => [],
      buy: (number, reference) => ask(process, `buy ${number}`, () => buy(number, reference)),
      find: (number) => ask(process, `find ${number}`, () => owned.get(number)),
      release: (id) => ask(process, 'release', () => release(id)),
    }),
  }
}

export type CarrierModel = ReturnType<typeof createCarrierModel>
