import { type Caller, callers, tenantOf } from './cast.ts'
import type { Described } from './description.ts'
import { isObject } from './json.ts'
import { choicesOf, type Lane, weightOf } from './lane.ts'
import { judge, outcomesOf } from './oracles.ts'
import { idIn, recordsOf } from './pool.ts'
import type { Random } from './random.ts'
import { rawRequest } from './raw.ts'
import type { Called, FuzzRequest, Seen } from './request.ts'
import { restRequest } from './rest.ts'
import { isRpc, mayCall, rpcRequest } from './rpc.ts'
import { send } from './send.ts'
import { changedField, difference, placeOf, read, snapshot } from './state.ts'

function callerOf(random: Random, { path }: Described): Caller {
  const dice = random.next()
  if (path.startsWith('/admin')) return dice < 0.75 ? 'operator' : random.pick(callers)
  return dice < 0.65 ? 'ada' : dice < 0.85 ? 'bob' : dice < 0.93 ? 'viewer' : random.pick(callers)
}

function operationFor(random: Random, { description }: Lane): Described {
  const total = description.operations.reduce((sum, operation) => sum + weightOf(operation), 0)
  let dice = random.next() * total
  for (const operation of description.operations) {
    dice -= weightOf(operation)
    if (dice < 0) return operation
  }
  throw new Error('The description has no operations')
}

/** Where ids of a collection come from that nothing is posted to. */
const sources: Record<string, string> = {
  '/widget': '/assistants/{assistantId}/embed',
  '/deliveries': '/assistants/{assistantId}/deliveries',
}

/** The operation that makes what another one's path needs and its caller has not, or the operation itself. */
function possible(lane: Lane, random: Random, caller: Caller, operation: Described): Described {
  const tenant = tenantOf(caller) ?? 'ada'
  let filled = ''
  let template = ''
  for (const part of operation.path.split('/').slice(1)) {
    const isValue = part.startsWith('{')
    const value = isValue ? lane.pool.pick(random, tenant, filled) : part
    if (value === undefined) {
      if (part === '{user_id}' || part === '{tool_name}') return operation
      const { find } = lane.description
      const maker = find('POST', template) ?? find('GET', sources[template] ?? template)
      return maker === undefined || maker === operation ? operation : possible(lane, random, caller, maker)
    }
    filled += `/${value}`
    template += `/${part}`
  }
  return operation
}

/** The request of a number: the same for the same seed and the same objects. */
export function requestOf(lane: Lane, seed: number, number: number): FuzzRequest {
  const random = choicesOf(seed, number)
  const wanted = operationFor(random, lane)
  let caller = callerOf(random, wanted)
  if (!mayCall(caller, wanted)) caller = 'ada'
  const operation = random.chance(0.9) ? possible(lane, random, caller, wanted) : wanted
  if (!mayCall(caller, operation)) caller = 'ada'
  const dice = random.next()
  if (dice < 0.05) return rawRequest(lane, random, number, caller, operation)
  const make = dice < 0.35 && isRpc(operation) ? rpcRequest : restRequest
  return make(lane, random, number, caller, operation)
}

/** Keeps the ids that a response tells of, and forgets those that it says are gone. */
function learn({ pool }: Lane, request: FuzzRequest, call: Called, body: unknown): void {
  const tenant = tenantOf(request.as)
  if (tenant === undefined) return
  const { operation, path } = call
  if (operation.method === 'DELETE') {
    const at = path.lastIndexOf('/')
    pool.remove(tenant, { collection: path.slice(0, at), id: path.slice(at + 1) })
    return
  }
  const data = isObject(body) ? body.data : undefined
  const isList = operation.method === 'GET' && Array.isArray(data)
  // A list for operators tells of everybody, and one of tokens of those in use: only what was made here is changed.
  if (isList && (tenant === 'operator' || path === '/user/tokens')) return
  if (!isList && operation.method !== 'POST') {
    if (operation.path.endsWith('/embed') && isObject(data) && typeof data.public_key === 'string') {
      pool.add(tenant, { collection: '/widget', id: data.public_key })
    }
    return
  }
  for (const record of isList ? recordsOf(body) : [data]) {
    const id = idIn(path, record)
    if (id === undefined || path.endsWith('/shares') || path.startsWith('/assistants/tools')) continue
    const isGlobal = path.startsWith('/connectors') && isObject(record) && record.scope === 'global'
    const shared = isGlobal || path.endsWith('/models')
    if (!shared) pool.add(tenant, { collection: path, id })
    if (path === '/assistants') pool.add(tenant, { collection: '/v2/assistants', id })
    if (path.endsWith('/deliveries')) pool.add(tenant, { collection: '/deliveries', id })
  }
}

async function roundTrip(lane: Lane, request: FuzzRequest, call: Called, body: unknown): Promise<string | undefined> {
  const place = placeOf(call, body, lane)
  if (place === undefined || !isObject(call.sent)) return undefined
  const { status, body: now } = await read(lane, request.as, place)
  // The response of a request with a key is kept: what it made may have been deleted since.
  if (status === 404 && request.headers.some(([header]) => header === 'idempotency-key')) return undefined
  if (status !== 200) return `what was accepted reads ${status} at ${place}`
  const record = isObject(now) && isObject(now.data) ? now.data : undefined
  const changed = record && changedField(call.sent, record)
  return changed && `what was accepted reads differently at ${place}: ${changed}`
}

const isWrite = ({ operation }: Called) => operation.method !== 'GET'

/** Whether a write that was left earlier may still have been at work at a moment. */
const mayBeAtWork = ({ leftAt, maxMilliseconds }: Lane, at: number) =>
  leftAt !== undefined && at - leftAt < maxMilliseconds

/** What a request changes once no write is at work any more. */
async function changedBy(lane: Lane, request: FuzzRequest, call: Called): Promise<string | undefined> {
  await Bun.sleep(lane.maxMilliseconds)
  const before = await snapshot(lane, request.as, call)
  await send(lane.target, request).catch(() => undefined)
  return difference(before, await snapshot(lane, request.as, call))
}

/** One finding: which request, and what is wrong. */
export interface Finding {
  request: FuzzRequest
  seen: Seen | undefined
  problem: string
}

/** Sends the request of a number, and says what is wrong with what came of it. */
export async function play(lane: Lane, seed: number, number: number): Promise<Finding[]> {
  const request = requestOf(lane, seed, number)
  const watched = request.calls.filter(isWrite).slice(0, 1)
  const sampled = choicesOf(seed ^ 0x5bd1e995, number)
  const before = watched[0] && sampled.chance(0.25) ? await snapshot(lane, request.as, watched[0]) : undefined
  const isMoving = mayBeAtWork(lane, performance.now())
  let seen: Seen | undefined
  try {
    seen = await send(lane.target, request)
  } catch (error) {
    return [{ request, seen, problem: `no response: ${error instanceof Error ? error.message : String(error)}` }]
  }
  if (!seen && watched.length > 0) lane.leftAt = performance.now()
  if (!seen) return request.hangs ? [] : [{ request, seen, problem: 'the connection ended without a response' }]
  const problems = judge(lane, request, seen)
  const outcomes = outcomesOf(request, seen)
  const [first] = outcomes
  const [call] = watched
  if (before && call && outcomes.length === 1 && first && first.status >= 400 && first.status < 500) {
    let changed = difference(before, await snapshot(lane, request.as, call))
    // What was left may have changed it: sent again when that is over, the request has to change it as well.
    if (changed !== undefined && isMoving) changed = await changedBy(lane, request, call)
    if (changed !== undefined) problems.push(`refused with ${first.status}, and ${changed} reads differently`)
  }
  for (const { call, status, body } of outcomes) {
    if (status >= 300 || !call.routed) continue
    learn(lane, request, call, body)
    const problem = isWrite(call) && sampled.chance(0.5) ? await roundTrip(lane, request, call, body) : undefined
    if (problem) problems.push(problem)
  }
  return problems.map((problem) => ({ request, seen, problem }))
}
