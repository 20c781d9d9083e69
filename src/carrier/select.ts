import type { Env } from '../app/env.ts'
import type { Database } from '../db/client.ts'
import type { Carrier } from './carrier.ts'
import { embeddedCarrier } from './embedded/carrier.ts'
import { twilioCarrier } from './twilio.ts'

/** The carrier that CARRIER names (contract: server 9). */
export function carrierFor({ carrier, outsideTimes }: Pick<Env, 'carrier' | 'outsideTimes'>, db: Database): Carrier {
  if (carrier.kind === 'embedded') return embeddedCarrier(db)
  const { accountSid, authToken } = carrier
  const { carrierMs: timeoutMs } = outsideTimes
  return twilioCarrier({ accountSid, authToken, timeoutMs, fetch: (input, init) => fetch(input, init) })
}
