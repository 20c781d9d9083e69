import { anyMarker, tenantOf } from './cast.ts'
import { isObject } from './json.ts'
import type { Lane } from './lane.ts'
import type { Called, FuzzRequest, Seen } from './request.ts'

const insides: readonly [RegExp, string][] = [
  [/\bat (async )?[\w.<>]+ \(?\S+:\d+:\d+\)?/, 'a stack trace'],
  [/node_modules|\/src\/[\w/-]+\.ts\b/, 'a path of the source'],
  [/\b(select|insert into|update|delete from) "\w+"|\bfrom "\w+" where\b/i, 'SQL'],
  [
    /PostgresError|DrizzleQueryError|SQLSTATE|violates \w+ constraint|relation "|syntax error at or near/,
    'a database error',
  ],
  [/\b(TypeError|RangeError|ReferenceError|SyntaxError|ZodError|TRPCError)\b/, 'the name of an error'],
]

const anyUuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g

/** What the request itself says may be said back. */
const saidBy = ({ target, body, headers, pieces }: FuzzRequest): string =>
  [
    decodeURIComponent(target.replaceAll(/%(?![0-9a-f]{2})/gi, '%25').replaceAll(/%[89a-f][0-9a-f]/gi, '')),
    ...(body === undefined ? [] : [Buffer.from(body).toString()]),
    ...headers.flat(),
    ...pieces.map(({ bytes }) => Buffer.from(bytes).toString()),
  ].join('\n')

function inside(request: FuzzRequest, seen: Seen): string | undefined {
  if (seen.status < 400) return undefined
  const said = saidBy(request)
  // In JSON the quotes of SQL are escaped.
  const text = seen.text.replaceAll('\\"', '"')
  for (const [pattern, name] of insides) {
    const found = pattern.exec(text)?.[0]
    if (found !== undefined && !said.includes(found)) return `the response holds ${name}: ${found}`
  }
  return undefined
}

/**
 * Markers in a number's `voice_workflow_id`, which the contract takes as it is. The id of a squad that is a draft is
 * made from its name, and so carries its tenant's marker: whoever sends it there reads it again, and nothing else is
 * told.
 */
const workflowMarkers = (said: string): string[] =>
  [...said.matchAll(/"voice_workflow_id"\s*:\s*"([^"]*)"/g)].flatMap(([, value = '']) => value.match(anyMarker) ?? [])

/** Another tenant's words, ids or tokens in a response. */
function foreign({ cast, pool }: Lane, request: FuzzRequest, { text, headers }: Seen): string | undefined {
  const whole = `${text}\n${headers.flat().join('\n')}`
  const own = request.headers.find(([name]) => name === 'authorization')?.[1]
  for (const [name, token] of Object.entries(cast.tokens)) {
    if (token !== undefined && !own?.includes(token) && whole.includes(token)) return `the token of ${name} is shown`
  }
  if (request.as === 'operator' || request.target.startsWith('/widget') || request.target.includes('widget.chat'))
    return
  // What visitors of a website write is kept for its owner, and each tenant visits the other's.
  if (/conversations/.test(request.target)) return
  const tenant = tenantOf(request.as)
  const allowed = tenant === 'ada' || tenant === 'bob' ? cast.markers[tenant] : undefined
  for (const marker of whole.match(anyMarker) ?? []) {
    if (marker !== allowed && (!tenant || !pool.knows(tenant, marker)))
      return `another tenant's marker is shown: ${marker}`
  }
  for (const id of whole.match(anyUuid) ?? []) {
    const owner = pool.ownerOf(id)
    if (owner === undefined || owner === tenant || owner === 'operator' || tenant === undefined) continue
    if (!pool.knows(tenant, id)) return `another tenant's id is shown: ${id}`
  }
  return undefined
}

/** What one call of a tRPC response, or the response itself over REST, says. */
export interface Outcome {
  call: Called
  status: number
  type: string
  body: unknown
}

/** The outcomes of a request, call by call; none where they cannot be told apart. */
export function outcomesOf({ kind, calls }: FuzzRequest, { status, type, body }: Seen): Outcome[] {
  if (kind === 'raw') return []
  if (kind === 'rest') return calls.map((call) => ({ call, status, type, body }))
  const isBatch = Array.isArray(body)
  const envelopes: unknown[] = isBatch ? body : [body]
  if (envelopes.length !== calls.length) return []
  return calls.flatMap((call, at) => {
    const envelope = envelopes[at]
    if (!isObject(envelope)) return []
    const { result, error } = envelope
    if (isObject(result)) {
      const declared = Object.keys(call.operation.responses).find((known) => known.startsWith('2')) ?? '200'
      return [{ call, status: Number(declared), type, body: result.data }]
    }
    const data = isObject(error) ? error.data : undefined
    if (!isObject(data) || typeof data.httpStatus !== 'number') return []
    return [{ call, status: data.httpStatus, type, body: data.body }]
  })
}

/**
 * What the contract answers with a 500 although nothing is broken: a number that the carrier does not sell, and JSON
 * that the model (here the built-in one) did not write.
 */
const contracted =
  /"Failed to purchase phone number: This number is [^"]+"|"The assistant could not generate a response\. Please try again\."/

const isBroken = (status: number) => status === 500 || status === 502 || status === 504 || status > 504

/** Whether a response is one at all, in time and of a status that a server may have. */
function plain({ maxMilliseconds }: Lane, request: FuzzRequest, seen: Seen): string | undefined {
  const isKnown = (request.kind === 'raw' && seen.status === 505) || contracted.test(seen.text)
  if (isBroken(seen.status) && !isKnown) return `status ${seen.status}`
  if (seen.milliseconds > maxMilliseconds) return `the response took ${Math.round(seen.milliseconds)} ms`
  // Lines of JSON, which tRPC sends when it is asked to, are another form.
  if (request.kind === 'raw' || request.headers.some(([name]) => name === 'trpc-accept')) return undefined
  if (seen.type === 'application/json' && seen.body === undefined && seen.status !== 304) return 'the body is no JSON'
  if (seen.status >= 400 && seen.text !== '' && seen.body === undefined) {
    return `a refusal of media type "${seen.type}"`
  }
  return undefined
}

function called(lane: Lane, request: FuzzRequest, { call, status, type, body }: Outcome): string | undefined {
  const name = `${call.operation.method} ${call.operation.path}`
  if (isBroken(status)) return contracted.test(JSON.stringify(body)) ? undefined : `${name}: status ${status}`
  const tenant = tenantOf(request.as)
  const done = status < 300 && !call.operation.isPublic
  if (done && tenant === undefined) return `${name}: done without a token`
  if (done && tenant !== 'operator' && call.owner !== undefined && call.owner !== tenant) {
    return `${name}: done with an object of ${call.owner}`
  }
  // The HTTP server itself refuses a head that is too large.
  if (!call.routed || status === 431) return undefined
  // An input that is no object, or no JSON, can be sent over tRPC to operations that take no body over REST.
  const isInput = status === 400 || status === 422
  if (request.kind === 'rpc' && isInput && call.operation.responses[status] === undefined) return undefined
  // Over REST the header is heeded by POST alone, over tRPC by every mutation.
  if (request.kind === 'rpc' && status === 422 && /Idempotency-Key/.test(JSON.stringify(body))) return undefined
  // A batch with a key is refused as a whole, also for what one of its calls alone would not be.
  const hasKey = request.headers.some(([header]) => header === 'idempotency-key')
  const isDeclared = call.operation.responses[status] !== undefined
  if (request.kind === 'rpc' && request.target.includes('batch=1') && hasKey && status >= 400 && !isDeclared)
    return undefined
  const problem = lane.description.problem(call.operation, status, type, body)
  return problem && `${name}: ${problem}`
}

/** Everything that is wrong with a response by itself. */
export function judge(lane: Lane, request: FuzzRequest, seen: Seen): string[] {
  const tenant = tenantOf(request.as)
  // An id that a tenant wrote into an object of its own is read there later.
  const said = saidBy(request)
  if (tenant) for (const id of [...(said.match(anyUuid) ?? []), ...workflowMarkers(said)]) lane.pool.tell(tenant, id)
  const found = [plain(lane, request, seen), inside(request, seen), foreign(lane, request, seen)]
  for (const outcome of outcomesOf(request, seen)) found.push(called(lane, request, outcome))
  return [...new Set(found.filter((problem) => problem !== undefined))]
}
