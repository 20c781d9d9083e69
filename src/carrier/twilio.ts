import { createFetch } from 'ofetch'
import { z } from 'zod'
import { boundedResponse } from '../outgoing/bounded-body.ts'
import { cleanSentence, wasNeverSent } from '../voice-platform/errors.ts'
import { type Carrier, type CarrierCall, CarrierError, type OwnedNumber } from './carrier.ts'

export interface TwilioOptions {
  accountSid: string
  authToken: string
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  baseUrl?: string
  /** Milliseconds in which a call ends. */
  timeoutMs?: number
}

interface CarrierRequest extends CarrierCall {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string | number>
  form?: Record<string, string>
}

/** Of a response; a page of numbers is far smaller. */
const maxBytes = 1024 * 1024

const Capabilities = z.object({ voice: z.boolean().default(false), SMS: z.boolean().default(false) })

const Offered = z.object({
  available_phone_numbers: z.array(
    z.object({
      phone_number: z.string(),
      friendly_name: z.string().nullish(),
      locality: z.string().nullish(),
      region: z.string().nullish(),
      iso_country: z.string().default('US'),
      capabilities: Capabilities,
    }),
  ),
})

const Incoming = z.object({
  sid: z.string(),
  phone_number: z.string(),
  friendly_name: z.string().nullish(),
  capabilities: z.object({ sms: z.boolean().default(false) }).optional(),
})

const IncomingPage = z.object({ incoming_phone_numbers: z.array(Incoming) })

const Refusal = z.object({ message: z.string() })

/** What purchases are named, so that a number is known again as the one that a purchase bought. */
const stamp = 'switchboard '

const ownedOf = ({ sid, phone_number, friendly_name, capabilities }: z.output<typeof Incoming>): OwnedNumber => ({
  id: sid,
  number: phone_number,
  reference: friendly_name?.startsWith(stamp) ? friendly_name.slice(stamp.length) : null,
  sms: capabilities?.sms ?? false,
})

function parsed<T>(schema: z.ZodType<T>, text: string | undefined): T {
  try {
    return schema.parse(JSON.parse(text ?? ''))
  } catch {
    throw new CarrierError('unknown', 'The carrier gave an unreadable answer.')
  }
}

function refusalOf(status: number, text: string | undefined): CarrierError {
  if (status === 401 || status === 403) return new CarrierError('refused', 'The carrier refused our credentials.')
  if (status === 429) return new CarrierError('unavailable', 'The carrier is receiving too many requests.')
  if (status >= 500 || status === 408) return new CarrierError('unknown', 'The carrier failed to answer.')
  let said = ''
  try {
    said = cleanSentence(Refusal.parse(JSON.parse(text ?? '')).message)
  } catch {
    // Not every response is JSON: then the status says it.
  }
  return new CarrierError('refused', said || `The carrier rejected the request (status ${status}).`)
}

/** Twilio's REST API: AvailablePhoneNumbers and IncomingPhoneNumbers. No call is repeated by itself. */
export function twilioCarrier(options: TwilioOptions): Carrier {
  const { accountSid, authToken, baseUrl = 'https://api.twilio.com', timeoutMs = 9_000 } = options
  /** A response of which no more than its bound is read, and nothing after its call has ended. */
  const boundedFetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const response = await options.fetch(input, init)
    return boundedResponse(response, maxBytes, init.signal ?? AbortSignal.timeout(timeoutMs))
  }
  const send = createFetch({
    fetch: Object.assign(boundedFetch, { preconnect: () => undefined }),
    defaults: {
      baseURL: `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`,
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    },
  })

  const call = async ({
    method,
    path,
    query,
    form,
    signal,
  }: CarrierRequest): Promise<{ status: number; text?: string }> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const response = await send.raw(path, {
        method,
        query,
        body: form && new URLSearchParams(form),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        retry: false,
        redirect: 'manual',
        ignoreResponseError: true,
        responseType: 'text',
      })
      if (response.ok || response.status === 404) return { status: response.status, text: response._data }
      throw refusalOf(response.status, response._data)
    } catch (failure) {
      if (failure instanceof CarrierError) throw failure
      if (wasNeverSent(failure)) throw new CarrierError('unavailable', 'The carrier cannot be reached.')
      throw new CarrierError('unknown', 'The carrier did not answer.')
    }
  }

  return {
    name: 'twilio',
    credentials: { provider: 'twilio', twilioAccountSid: accountSid, twilioAuthToken: authToken },

    async offer({ areaCode, limit }, { signal } = {}) {
      const query = { PageSize: limit, VoiceEnabled: 'true', ...(areaCode && { AreaCode: areaCode }) }
      const path = '/AvailablePhoneNumbers/US/Local.json'
      const { text, status } = await call({ method: 'GET', path, query, signal })
      if (status === 404) return []
      return parsed(Offered, text).available_phone_numbers.map((one) => ({
        number: one.phone_number,
        friendlyName: one.friendly_name ?? one.phone_number,
        locality: one.locality ?? null,
        region: one.region ?? null,
        country: one.iso_country,
        capabilities: { voice: one.capabilities.voice, sms: one.capabilities.SMS },
      }))
    },

    async buy(number, reference, { signal } = {}) {
      const form = { PhoneNumber: number, FriendlyName: `${stamp}${reference}` }
      const { status, text } = await call({ method: 'POST', path: '/IncomingPhoneNumbers.json', form, signal })
      if (status === 404) throw new CarrierError('refused', 'This number is not on offer.')
      return ownedOf(parsed(Incoming, text))
    },

    async find(number, { signal } = {}) {
      const query = { PhoneNumber: number }
      const { text } = await call({ method: 'GET', path: '/IncomingPhoneNumbers.json', query, signal })
      // The filter also finds numbers that merely contain this one.
      const found = parsed(IncomingPage, text).incoming_phone_numbers.find((one) => one.phone_number === number)
      return found && ownedOf(found)
    },

    async release(id, { signal } = {}) {
      await call({ method: 'DELETE', path: `/IncomingPhoneNumbers/${encodeURIComponent(id)}.json`, signal })
    },
  }
}
