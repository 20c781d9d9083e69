import { isObject } from '../../../json/object.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Converse } from '../../converse.ts'

import { textOf } from '../../mapping/settings.ts'
import type { Scenario } from '../../simulation.ts'
import { badRequest } from '../answers.ts'
import { callerOf } from '../conversation/caller.ts'
import { type Conversation, converseWith } from '../conversation/conversation.ts'
import { type Called, type Line, lineOf } from '../conversation/line.ts'
import { analysisOf, costOf, messagesOf, openAiMessagesOf, transcriptOf, turnsOf } from '../conversation/outcome.ts'
import { publicForm } from '../resource.ts'
import type { PlatformObject, PlatformStore } from '../store/store.ts'
import { type Told, toldOf, webhooksOf, withoutSecrets } from '../webhooks/messages.ts'
import { type Ringing, ringingOf } from './ringing.ts'
import { type CallStore, callKind } from './store.ts'

/** What calls are simulated with. */
export interface SimulatorOptions {
  store: PlatformStore
  calls: CallStore
  clock: Clock
  newId: () => string
  orgId: string
  converse: Converse
}

/** A call to simulate: who is called, from where, and what the caller says. */
export interface CallRequest extends Called {
  name?: string
  customer?: object
  direction: 'inbound' | 'outbound'
  messages?: string[]
  scenario?: Scenario
}

/** A call that has begun; `ended` resolves with what became of it, and never rejects. */
export interface RunningCall {
  call: PlatformObject
  ended: Promise<PlatformObject>
}

type Body = Record<string, unknown>

const workerDied = 'call.in-progress.error-vapifault-worker-died'
const nobodyConfigured = 'call-start-error-neither-assistant-nor-server-set'

/** Reasons of a call that nobody took: it never started. */
const untaken = { busy: 'customer-busy', nobody: 'customer-did-not-answer' } as const

/** Runs calls against the assistants of a store. What it answers and sends is what the real platform would. */
export function createSimulator({ store, calls, clock, newId, orgId, converse }: SimulatorOptions) {
  const going = new Map<string, Promise<PlatformObject>>()

  const messagesAbout = (call: PlatformObject, told: readonly Told[], line: Line) => {
    const { artifact: _artifact, messages: _messages, ...shown } = publicForm(call, orgId) as Body
    return webhooksOf(told, { ...call, shown }, line)
  }

  const status = (name: string, at: Date, line: Line, fields: Body = {}): Told => ({
    type: 'status-update',
    at: at.getTime(),
    member: line.members[0],
    fields: { status: name, ...fields },
  })

  /** The last state of a call, and its last two messages; what another process made of it when that was first. */
  const end = async (call: PlatformObject, line: Line, outcome: Body, told: readonly Told[], at: Date) => {
    const body = { ...call.body, ...present(outcome), status: 'ended' }
    const ended = { ...call, body, updatedAt: clock.now() }
    const { endedReason, artifact = {}, analysis = {}, cost, costs, startedAt, endedAt, destination } = body as Body
    const report: Told = {
      type: 'end-of-call-report',
      at: at.getTime(),
      member: line.members[0],
      fields: present({ endedReason, artifact, analysis, cost, costs, startedAt, endedAt, destination }),
    }
    const last = [...told, status('ended', at, line, present({ endedReason, destination })), report]
    const saved = await calls.end(ended, messagesAbout(ended, last, line))
    return saved ? ended : ((await calls.find(call.id)) ?? ended)
  }

  const talk = async (call: PlatformObject, line: Line, request: CallRequest): Promise<PlatformObject> => {
    const [first, ...others] = line.members
    const caller = callerOf(request)
    const startedAt = call.createdAt
    if (!first) return forward(call, line)
    if (caller.answers === 'busy' || caller.answers === 'nobody') {
      return end(call, line, { endedReason: untaken[caller.answers], cost: 0 }, [], startedAt)
    }
    const conversation = await converseWith([first, ...others], caller, converse)
    const endedAt = new Date(startedAt.getTime() + conversation.seconds * 1000)
    const outcome = outcomeOf(conversation, line, { startedAt, endedAt })
    return end(call, line, outcome, toldOf(conversation, startedAt.getTime()), endedAt)
  }

  /** Nobody answers: the number's fallback destination takes the call, if it has one. */
  const forward = async (call: PlatformObject, line: Line) => {
    const at = call.createdAt
    const destination = line.phoneNumber?.body.fallbackDestination
    const routed = ['assistantId', 'squadId', 'workflowId'].some((name) => line.phoneNumber?.body[name] !== undefined)
    if (!isObject(destination)) {
      return end(call, line, { endedReason: routed ? 'assistant-not-found' : nobodyConfigured, cost: 0 }, [], at)
    }
    const times = { startedAt: at.toISOString(), endedAt: at.toISOString() }
    const outcome = { endedReason: 'assistant-forwarded-call', destination, cost: 0, ...times }
    return end(call, line, outcome, [status('forwarding', at, line, { destination })], at)
  }

  /** A hook of the number takes the call before anybody answers. */
  const ring = (call: PlatformObject, line: Line, { endedReason, said, destination }: Ringing) => {
    const at = call.createdAt
    const times = { startedAt: at.toISOString(), endedAt: at.toISOString() }
    const artifact = { transcript: said.map((text) => `AI: ${text}\n`).join('') }
    const outcome = { endedReason, destination, artifact, cost: 0, ...times }
    return end(call, line, outcome, destination ? [status('forwarding', at, line, { destination })] : [], at)
  }

  const finish = (call: PlatformObject, line: Line, reason: string) => {
    const at = clock.now()
    return end(call, line, { endedReason: reason, cost: 0, endedAt: at.toISOString() }, [], at)
  }

  return {
    /** Resolves when no call is running. */
    async idle(): Promise<void> {
      await Promise.all(going.values())
    },

    /** Begins a call. Throws PlatformResponse for an object that does not exist. */
    async begin(request: CallRequest): Promise<RunningCall> {
      const line = await lineOf(store, request)
      if (line.members.length === 0 && !line.phoneNumber) throw badRequest('Need Either `assistantId` or `squadId`.')
      const at = clock.now()
      const call: PlatformObject = {
        id: newId(),
        kind: callKind,
        body: begun(request, line),
        createdAt: at,
        updatedAt: at,
      }
      const caller = isObject(request.customer) ? textOf(request.customer.number) : undefined
      const ringing = request.direction === 'inbound' ? ringingOf(line.phoneNumber, caller) : undefined
      const member = ringing ? undefined : line.members[0]
      const started = {
        type: 'assistant.started',
        at: at.getTime(),
        member,
        fields: { newAssistant: member && withoutSecrets(member.assistant) },
      }
      const taken = { ...call, body: { ...call.body, status: 'in-progress', startedAt: at.toISOString() } }
      const running = member ? taken : call
      const told = member ? [status('in-progress', at, line), started] : []
      await calls.save(running, messagesAbout(running, told, line))
      const work = ringing ? ring(running, line, ringing) : talk(running, line, request)
      const ended = work.catch(() => finish(running, line, workerDied).catch(() => running))
      going.set(call.id, ended)
      void ended.then(() => going.delete(call.id))
      return { call, ended }
    },

    /** Keeps running calls this process's; call it more often than they can do without. */
    hold: () => calls.hold([...going.keys()]),

    /**
     * Ends the calls that a killed process left, so that each has a last message; `all`: no other process can run one.
     * Returns how many there were.
     */
    async endAbandoned(all: boolean): Promise<number> {
      const left = await calls.takeAbandoned(all)
      for (const call of left) {
        const { assistantId, squadId, phoneNumberId } = call.body as Called
        const nobody: Line = { members: [], squadId: undefined, phoneNumber: undefined }
        const line = await lineOf(store, { assistantId, squadId, phoneNumberId }).catch(() => nobody)
        await finish(call, line, workerDied)
      }
      return left.length
    },
  }
}

export type Simulator = ReturnType<typeof createSimulator>

const present = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const types = { inbound: 'inboundPhoneCall', outbound: 'outboundPhoneCall' } as const

/** The body of a call that was just created. */
function begun({ name, customer, assistantId, phoneNumberId, direction }: CallRequest, line: Line): Body {
  return present({
    type: line.phoneNumber ? types[direction] : 'webCall',
    status: 'queued',
    name,
    customer,
    assistantId: line.members[0]?.assistantId ?? assistantId,
    squadId: line.squadId,
    phoneNumberId,
    ...(line.phoneNumber && { phoneCallTransport: 'pstn' }),
  })
}

function outcomeOf(conversation: Conversation, line: Line, times: { startedAt: Date; endedAt: Date }): Body {
  const assistant = line.members[0]?.assistant ?? {}
  const turns = turnsOf(conversation)
  const messages = messagesOf(conversation, times.startedAt)
  const transcript = transcriptOf(turns, assistant)
  const artifact = present({
    messages,
    messagesOpenAIFormatted: openAiMessagesOf(conversation.prompts, turns),
    transcript,
  })
  return {
    startedAt: times.startedAt.toISOString(),
    endedAt: times.endedAt.toISOString(),
    endedReason: conversation.endedReason,
    messages,
    artifact,
    analysis: analysisOf(conversation, assistant),
    ...costOf(conversation, line.phoneNumber !== undefined),
  }
}
