import type { Carrier } from '../../carrier/carrier.ts'
import { embeddedCarrier } from '../../carrier/embedded/carrier.ts'
import { twilioCarrier } from '../../carrier/twilio.ts'
import type { Database } from '../../db/client.ts'
import { unobserved } from '../../outgoing/observe.ts'
import type { Env } from '../env.ts'

const send = (input: string | URL | Request, init?: RequestInit) => fetch(input, init)

/** The carrier that CARRIER names (contract: server 9). */
export function carrierFor(
  { carrier, outsideTimes }: Pick<Env, 'carrier' | 'outsideTimes'>,
  db: Database,
  observe = unobserved,
): Carrier {
  if (carrier.kind === 'embedded') return embeddedCarrier(db)
  const { accountSid, authToken } = carrier
  const { carrierMs: timeoutMs } = outsideTimes
  return twilioCarrier({ accountSid, authToken, timeoutMs, fetch: observe('carrier', send) })
}
