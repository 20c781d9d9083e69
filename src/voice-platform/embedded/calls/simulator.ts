import { isDatabaseFault } from '../../../db/unreachable.ts'
import { isObject } from '../../../json/object.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { AskReceiver } from '../../../webhooks/message.ts'
import type { Converse } from '../../converse.ts'
import { textOf } from '../../mapping/settings.ts'
import { callValues } from '../../mapping/variables.ts'
import { callerOf } from '../conversation/caller.ts'
import { converseWith } from '../conversation/conversation.ts'
import { evaluationOf } from '../conversation/evaluation.ts'
import { type Line, lineOf, nobody } from '../conversation/line.ts'
import { publicForm } from '../resource.ts'
import { badRequest } from '../responses.ts'
import type { PlatformObject, PlatformStore } from '../store/store.ts'
import { type Told, toldOf, webhooksOf } from '../webhooks/messages.ts'
import { askToolsOf, requestAssistant, usableTools } from '../webhooks/questions.ts'
import { endAbandoned } from './abandoned.ts'
import { answeringOf, asksServer, isRouted, type OwnerOf } from './answering.ts'
import { begun, type CallRequest, nobodyConfigured, outcomeOf, present, untaken } from './bodies.ts'
import { type Ringing, ringingOf } from './ringing.ts'
import { CallLostError, type CallStore, callKind, workerDied } from './store.ts'

/** What calls are simulated with. */
export interface SimulatorOptions {
  store: PlatformStore
  calls: CallStore
  clock: Clock
  newId: () => string
  orgId: string
  converse: Converse
  /** Whether `converse` is a language model's, which can say how a call went. */
  plays: boolean
  /** Asks the servers of tools and numbers. */
  ask: AskReceiver
  ownerOf: OwnerOf
  /** Hears why a call ends as one whose worker died. */
  failed: (error: unknown, callId: string) => void
}

/**
 * A call that has begun; `ended` resolves once it has ended, and never rejects. Undefined: another process runs it, or
 * none.
 */
export interface RunningCall {
  call: PlatformObject
  ended: Promise<unknown> | undefined
}

type Body = Record<string, unknown>

/** Runs calls against the assistants of a store. What it returns and sends is what the real platform would. */
export function createSimulator(options: SimulatorOptions) {
  const { store, calls, clock, newId, orgId, converse, plays, ownerOf, failed } = options
  const going = new Map<string, Promise<PlatformObject>>()

  const valuesOf = (request: CallRequest) => callValues(clock.now(), callerNumber(request))

  const tellable = (call: PlatformObject) => {
    const { artifact: _artifact, messages: _messages, ...shown } = publicForm(call, orgId) as Body
    return { ...call, shown }
  }

  const webhooksAbout = (call: PlatformObject, told: readonly Told[], line: Line) =>
    webhooksOf(told, tellable(call), line)

  const status = (name: string, at: Date, line: Line, fields: Body = {}): Told => ({
    type: 'status-update',
    at: at.getTime(),
    member: line.first,
    fields: { status: name, ...fields },
  })

  /** The last state of a call, and its last two messages; what another process made of it when that was first. */
  const end = async (call: PlatformObject, line: Line, outcome: Body, told: readonly Told[], at: Date) => {
    const body = { ...call.body, costs: [], ...present(outcome), status: 'ended' }
    const ended = { ...call, body, updatedAt: clock.now() }
    const { endedReason, artifact = {}, analysis = {}, cost, costs, startedAt, endedAt, destination } = body as Body
    const report: Told = {
      type: 'end-of-call-report',
      at: at.getTime(),
      member: line.first,
      fields: present({ endedReason, artifact, analysis, cost, costs, startedAt, endedAt, destination }),
    }
    const last = [...told, status('ended', at, line, present({ endedReason, destination })), report]
    const saved = await calls.end(ended, await webhooksAbout(ended, last, line))
    return saved ? ended : ((await calls.find(call.id)) ?? ended)
  }

  const talk = async (call: PlatformObject, line: Line, request: CallRequest): Promise<PlatformObject> => {
    const [first, ...others] = line.seats
    const caller = callerOf(request)
    const startedAt = call.createdAt
    if (!first) return forward(call, line, isRouted(line) ? 'assistant-not-found' : nobodyConfigured)
    if (caller.answers === 'busy' || caller.answers === 'nobody') {
      return end(call, line, { endedReason: untaken[caller.answers], cost: 0 }, [], startedAt)
    }
    const keep = calls.keeperOf(call.id)
    const kept: Converse = (messages, speaker, reader) => converse(messages, speaker, { keep, ...reader })
    const conversation = await converseWith([first, ...others], caller, {
      converse: kept,
      askTool: askToolsOf(options, tellable(call), line),
      toolsOf: (member) => usableTools(member, line),
      newId,
      phoneNumberId: line.phoneNumber?.id,
      asker: request.asker,
    })
    const endedAt = new Date(startedAt.getTime() + conversation.seconds * 1000)
    const evaluation = plays ? await evaluationOf(conversation, line, { ask: kept, asker: request.asker }) : undefined
    const outcome = outcomeOf(conversation, line, { startedAt, endedAt, evaluation })
    const { destination } = conversation
    const told = toldOf(conversation, startedAt.getTime())
    const forwarding = destination ? [status('forwarding', endedAt, line, { destination })] : []
    return end(call, line, outcome, [...told, ...forwarding], endedAt)
  }

  /** Somebody else's phone takes the call. */
  const forwardTo = (call: PlatformObject, line: Line, destination: Body, outcome: Body) => {
    const at = call.createdAt
    const times = { startedAt: at.toISOString(), endedAt: at.toISOString() }
    const moved: Told = { type: 'transfer-update', at: at.getTime(), member: line.first, fields: { destination } }
    const told = [moved, status('forwarding', at, line, { destination })]
    return end(call, line, { ...outcome, destination, cost: 0, ...times }, told, at)
  }

  /** Nobody answers: the number's fallback destination takes the call, if it has one. */
  const forward = (call: PlatformObject, line: Line, endedReason: string) => {
    const destination = line.phoneNumber?.body.fallbackDestination
    if (isObject(destination)) {
      return forwardTo(call, line, destination, { endedReason: 'assistant-forwarded-call' })
    }
    return end(call, line, { endedReason, cost: 0 }, [], call.createdAt)
  }

  /** A hook of the number takes the call before anybody answers. */
  const ring = (call: PlatformObject, line: Line, { endedReason, said, destination }: Ringing) => {
    const artifact = { transcript: said.map((text) => `AI: ${text}\n`).join('') }
    if (destination) return forwardTo(call, line, destination, { endedReason, artifact })
    const at = call.createdAt
    const times = { startedAt: at.toISOString(), endedAt: at.toISOString() }
    return end(call, line, { endedReason, artifact, cost: 0, ...times }, [], at)
  }

  /** The server of a number says who answers it. */
  const decide = async (call: PlatformObject, line: Line, asked: CallRequest): Promise<PlatformObject> => {
    const response = await requestAssistant(options, tellable(call), line)
    if (!response) return forward(call, line, 'assistant-request-failed')
    const answering = await answeringOf({ store, values: valuesOf(asked), ownerOf }, line, response)
    if ('line' in answering) {
      const taken = await pickedUp(call, answering.line)
      if (!(await calls.update(taken.call, taken.messages))) return (await calls.find(call.id)) ?? call
      return talk(taken.call, answering.line, asked).catch(failing(taken.call, answering.line))
    }
    if ('destination' in answering) {
      const endedReason = 'assistant-request-returned-forwarding-phone-number'
      return forwardTo(call, line, answering.destination, { endedReason })
    }
    const { endedReason, said } = answering
    const artifact = said === undefined ? undefined : { transcript: `AI: ${said}\n` }
    return end(call, line, { endedReason, artifact, cost: 0 }, [], call.createdAt)
  }

  /** The call as it is once the first assistant of a line took it, with what is told of that. */
  const pickedUp = async (call: PlatformObject, line: Line) => {
    const member = line.first
    if (!member) return { call, messages: [] }
    const at = call.createdAt
    const started: Told = {
      type: 'assistant.started',
      at: at.getTime(),
      member,
      fields: { newAssistant: member.assistant },
    }
    const who = present({ assistantId: member.assistantId, squadId: line.squadId })
    const body = { ...call.body, ...who, status: 'in-progress', startedAt: at.toISOString() }
    const running = { ...call, body }
    return { call: running, messages: await webhooksAbout(running, [status('in-progress', at, line), started], line) }
  }

  /** Ends a call as one whose worker died: untold where what is told of it cannot be stored. */
  const finish = async (call: PlatformObject, line: Line) => {
    const at = clock.now()
    const outcome = { endedReason: workerDied, cost: 0, endedAt: at.toISOString() }
    try {
      return await end(call, line, outcome, [], at)
    } catch (error) {
      if (isDatabaseFault(error)) throw error
      failed(error, call.id)
      return end(call, nobody, outcome, [], at)
    }
  }

  /** Ends a call that went wrong here, and says why. */
  const failing = (call: PlatformObject, line: Line) => (error: unknown) => {
    if (!(error instanceof CallLostError)) failed(error, call.id)
    return finish(call, line)
  }

  /** A call that was begun, by this process or another. */
  const find = async (id: string): Promise<RunningCall | undefined> => {
    const call = await calls.find(id)
    return call ? { call, ended: going.get(id) } : undefined
  }

  return {
    /** Resolves when no call is running. */
    async idle(): Promise<void> {
      await Promise.all(going.values())
    },

    find,

    /** Begins a call, or finds one that has its id. Throws PlatformResponse for an object that does not exist. */
    async begin(request: CallRequest): Promise<RunningCall> {
      const line = await lineOf({ store, values: valuesOf(request) }, request)
      if (!line.first && !line.phoneNumber) throw badRequest('Need Either `assistantId` or `squadId`.')
      const at = clock.now()
      const call: PlatformObject = {
        id: request.id ?? newId(),
        kind: callKind,
        body: begun(request, line),
        createdAt: at,
        updatedAt: at,
      }
      const ringing = request.direction === 'inbound' ? ringingOf(line.phoneNumber, callerNumber(request)) : undefined
      const { call: running, messages } = ringing ? { call, messages: [] } : await pickedUp(call, line)
      if (!(await calls.add(running, messages))) return (await find(call.id)) ?? { call, ended: undefined }
      const work = ringing
        ? ring(call, line, ringing)
        : asksServer(line, request)
          ? decide(call, line, request)
          : talk(running, line, request)
      const ended = work.catch(failing(running, line)).catch(() => running)
      going.set(call.id, ended)
      void ended.then(() => going.delete(call.id))
      return { call, ended }
    },

    /** Keeps running calls this process's; call it more often than they can do without. */
    hold: () => calls.hold([...going.keys()]),

    endAbandoned: (all: boolean) => endAbandoned({ store, calls, failed, finish }, all),
  }
}

export type Simulator = ReturnType<typeof createSimulator>

const callerNumber = ({ customer }: CallRequest) => (isObject(customer) ? textOf(customer.number) : undefined)
