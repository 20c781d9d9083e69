import { type Carrier, CarrierError } from '../../../src/carrier/carrier.ts'

type Call = 'buy' | 'find' | 'release' | 'offer'

/** What goes wrong with a call: it is refused, not sent, or its answer is lost before or after the work. */
export type CarrierFault = 'refuse' | 'unavailable' | 'drop_before' | 'drop_after'

/** A carrier that fails as it is told, and counts its calls. */
export interface FaultyCarrier extends Carrier {
  fail(call: Call, fault: CarrierFault, times?: number): void
  clear(): void
  readonly calls: Record<Call, number>
}

export function faultyCarrier(carrier: Carrier): FaultyCarrier {
  let planned: { call: Call; fault: CarrierFault }[] = []
  const calls: Record<Call, number> = { buy: 0, find: 0, release: 0, offer: 0 }
  const run = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    calls[call] += 1
    const index = planned.findIndex((one) => one.call === call)
    const [fault] = index < 0 ? [] : planned.splice(index, 1)
    if (fault?.fault === 'refuse') throw new CarrierError('refused', 'This number is no longer available.')
    if (fault?.fault === 'unavailable') throw new CarrierError('unavailable', 'The carrier cannot be reached.')
    if (fault?.fault === 'drop_before') throw new CarrierError('unknown', 'The carrier did not answer.')
    const done = await work()
    if (fault?.fault === 'drop_after') throw new CarrierError('unknown', 'The carrier did not answer.')
    return done
  }
  return {
    name: carrier.name,
    credentials: carrier.credentials,
    calls,
    fail(call, fault, times = 1) {
      for (let count = 0; count < times; count += 1) planned.push({ call, fault })
    },
    clear() {
      planned = []
    },
    offer: (...args) => run('offer', () => carrier.offer(...args)),
    buy: (...args) => run('buy', () => carrier.buy(...args)),
    find: (...args) => run('find', () => carrier.find(...args)),
    release: (...args) => run('release', () => carrier.release(...args)),
  }
}
