/** A number that can be bought now. */
export interface OfferedNumber {
  /** E.164. */
  number: string
  /** As people write it. */
  friendlyName: string
  locality: string | null
  region: string | null
  /** ISO 3166-1, two letters. */
  country: string
  capabilities: { voice: boolean; sms: boolean }
}

/** A number that is ours at the carrier. */
export interface OwnedNumber {
  /** The carrier's own id, by which it is released. */
  id: string
  number: string
  /** What the purchase was stamped with; null for one that was bought elsewhere. */
  reference: string | null
  sms: boolean
}

/** What the voice platform is told to take a number over; holds a secret. */
export interface CarrierCredentials {
  provider: 'twilio'
  twilioAccountSid: string
  twilioAuthToken: string
}

/** Limits of one call. */
export interface CarrierCall {
  signal?: AbortSignal
}

/** Where phone numbers are bought. Every function throws {@link CarrierError}. */
export interface Carrier {
  readonly name: 'embedded' | 'twilio'
  /** Numbers on offer, at most `limit`, of one US area code or of any. */
  offer(query: { areaCode?: string; limit: number }, call?: CarrierCall): Promise<OfferedNumber[]>
  /** Buys one number, stamped with `reference`; a number can be bought once only. */
  buy(number: string, reference: string, call?: CarrierCall): Promise<OwnedNumber>
  /** The number if it is ours at the carrier. */
  find(number: string, call?: CarrierCall): Promise<OwnedNumber | undefined>
  /** Gives a number back; one that is gone already is fine. */
  release(id: string, call?: CarrierCall): Promise<void>
  readonly credentials: CarrierCredentials
}

/**
 * What became of a call to the carrier: `refused`, it said that it will not; `unavailable`, certainly not done;
 * `unknown`, no usable response, it may or may not have been done.
 */
export type CarrierErrorKind = 'refused' | 'unavailable' | 'unknown'

/** A failed call to the carrier; the message is one short sentence that anyone may read. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError'

  constructor(
    readonly kind: CarrierErrorKind,
    message: string,
  ) {
    super(message)
  }
}
