interface Owned {
  sid: string
  phone_number: string
  friendly_name: string
  capabilities: { voice: boolean; sms: boolean; mms: boolean; fax: boolean }
}

/** A local server that answers like Twilio's documentation. */
export interface TwilioServer {
  url: string
  requests: { method: string; path: string; query: Record<string, string>; form: Record<string, string> }[]
  /** Answers the next request this way, without doing its work. */
  answerNext(answer: () => Response | Promise<Response>): void
  /** A number that the account had before. */
  own(number: string, friendlyName: string): void
  reset(): void
  stop(): Promise<void>
}

const capabilities = (sms: boolean) => ({ voice: true, SMS: sms, MMS: sms })
const onOffer = [
  {
    friendly_name: '(510) 555-0100',
    phone_number: '+15105550100',
    lata: '722',
    locality: 'Oakland',
    rate_center: 'OKLD',
    region: 'CA',
    postal_code: '94612',
    iso_country: 'US',
    capabilities: capabilities(true),
    beta: false,
  },
  {
    friendly_name: '(510) 555-0101',
    phone_number: '+15105550101',
    locality: null,
    region: 'CA',
    iso_country: 'US',
    capabilities: capabilities(false),
    beta: false,
  },
]

export function serveTwilio({ accountSid, authToken }: { accountSid: string; authToken: string }): TwilioServer {
  const owned = new Map<string, Owned>()
  let planned: (() => Response | Promise<Response>)[] = []
  const requests: TwilioServer['requests'] = []
  const base = `/2010-04-01/Accounts/${accountSid}`
  const own = (number: string, friendlyName: string): Owned => {
    const made = {
      sid: `PN${crypto.randomUUID().replaceAll('-', '')}`,
      phone_number: number,
      friendly_name: friendlyName,
      capabilities: { voice: true, sms: true, mms: true, fax: false },
    }
    owned.set(made.sid, made)
    return made
  }

  const work = (method: string, path: string, query: Record<string, string>, form: Record<string, string>) => {
    const collection = `${base}/IncomingPhoneNumbers`
    if (path === `${base}/AvailablePhoneNumbers/US/Local.json`) {
      return Response.json({ available_phone_numbers: onOffer, uri: path })
    }
    if (method === 'POST' && path === `${collection}.json`) {
      const number = form.PhoneNumber ?? ''
      if ([...owned.values()].some(({ phone_number }) => phone_number === number)) {
        return Response.json({ code: 21_422, message: `${number} is not available.`, status: 400 }, { status: 400 })
      }
      return Response.json(own(number, form.FriendlyName ?? ''), { status: 201 })
    }
    if (method === 'GET' && path === `${collection}.json`) {
      const wanted = query.PhoneNumber ?? ''
      const found = [...owned.values()].filter(({ phone_number }) => phone_number.includes(wanted))
      return Response.json({ incoming_phone_numbers: found, page: 0, page_size: 50 })
    }
    const sid = /\/IncomingPhoneNumbers\/(\w+)\.json$/.exec(path)?.[1]
    if (method === 'DELETE' && sid && owned.delete(sid)) return new Response(null, { status: 204 })
    return Response.json(
      { code: 20_404, message: 'The requested resource was not found', status: 404 },
      { status: 404 },
    )
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    async fetch(request) {
      const { pathname: path, searchParams } = new URL(request.url)
      const query = Object.fromEntries(searchParams)
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      requests.push({ method: request.method, path, query, form })
      const plan = planned.shift()
      if (plan) return plan()
      if (request.headers.get('authorization') !== `Basic ${btoa(`${accountSid}:${authToken}`)}`) {
        return Response.json({ code: 20_003, message: 'Authenticate', status: 401 }, { status: 401 })
      }
      return work(request.method, path, query, form)
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    answerNext: (answer) => void planned.push(answer),
    own,
    reset() {
      owned.clear()
      planned = []
      requests.length = 0
    },
    stop: () => server.stop(true),
  }
}
