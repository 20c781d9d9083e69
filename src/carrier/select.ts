import type { Env } from '../app/env.ts'
import type { Database } from '../db/client.ts'
import type { Carrier } from './carrier.ts'
import { embeddedCarrier } from './embedded/carrier.ts'
import { twilioCarrier } from './twilio.ts'

/** The carrier that CARRIER names (contract: server 9). */
export function carrierFor({ carrier }: Pick<Env, 'carrier'>, db: Database): Carrier {
  if (carrier.kind === 'embedded') return embeddedCarrier(db)
  const { accountSid, authToken } = carrier
  return twilioCarrier({ accountSid, authToken, fetch: (input, init) => fetch(input, init) })
}
