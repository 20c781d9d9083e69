import type { Vapi } from '@vapi-ai/server-sdk'
import { isObject } from '../json/object.ts'
import type { CallHistory, CallPage } from './calls/history.ts'
import type { CallTotals } from './calls/totals.ts'
import type { Asker } from './converse.ts'
import { orGone, PlatformError } from './errors.ts'
import type { Transport } from './transport.ts'

/** Callers that follow a script; `question` when neither words nor a script are given. */
export const scenarios = ['question', 'booking', 'goodbye', 'silent', 'voicemail', 'busy', 'no-answer'] as const
export type Scenario = (typeof scenarios)[number]

/** Whether a text names a scripted caller. */
export const isScenario = (text: string): text is Scenario => (scenarios as readonly string[]).includes(text)

/** How long a caller may be described. */
export const maxScenarioLength = 2_000

/** A call to simulate: who is called, and what the caller says, or the script that the caller follows. */
export interface SimulatedCall {
  /** The id of the call: one that is there already is found, and not made again. New unless given. */
  id?: string | undefined
  assistantId?: string
  squadId?: string
  /** The number that is called, whose routing decides who answers; a call from the web when absent. */
  phoneNumberId?: string
  messages?: string[]
  /** A script, or who calls and what for, in words; those take a language model. */
  scenario?: string
  /** Under whose limits replies are made; nobody's unless given. */
  asker?: Asker
}

/**
 * The embedded platform beyond the real one's API: calls that are simulated, and its calls added up by the database.
 */
export interface Simulation extends CallHistory {
  /** Runs a call. It has ended in the response, unless the language model takes longer than some seconds. */
  run(call: SimulatedCall): Promise<Vapi.Call>
  /** A call that was begun, once it has ended or after some seconds, whichever server runs it. */
  find(id: string): Promise<Vapi.Call | undefined>
}

/** How many ids of assistants are sent at once. */
const idsAtOnce = 5_000

const callIn = (response: unknown): Vapi.Call => {
  if (!isObject(response) || typeof response.id !== 'string') throw unreadable()
  return response as unknown as Vapi.Call
}

const unreadable = () => new PlatformError('unknown', 'The embedded platform gave an unreadable answer.')

/** The simulation behind a transport that leads to the embedded platform. Its responses are our own. */
export function createSimulation(transport: Transport): Simulation {
  const get = async (path: string, query: Record<string, string | number>) => {
    const response = await transport.send({ method: 'GET', path: `/simulation${path}`, query })
    if (!isObject(response)) throw unreadable()
    return response
  }
  return {
    async totals(assistantId, period) {
      const response = await get('/totals', { assistantId, ...period })
      const { firstCallAt: first, lastCallAt: last, ...totals } = response as unknown as Dated<CallTotals>
      return { ...totals, firstCallAt: dateOf(first), lastCallAt: dateOf(last) }
    },
    async countSince(assistantIds, since) {
      let count = 0
      for (let from = 0; from < assistantIds.length; from += idsAtOnce) {
        const body = { assistantIds: assistantIds.slice(from, from + idsAtOnce), since: since.toISOString() }
        const response = await transport.send({ method: 'POST', path: '/simulation/counts', body })
        if (!isObject(response) || typeof response.count !== 'number') throw unreadable()
        count += response.count
      }
      return count
    },
    async page(assistantId, { after, ...window }) {
      const beyond = after && { afterTime: after.createdAt, afterId: after.id }
      return (await get('/calls', { assistantId, ...window, ...beyond })) as unknown as CallPage
    },
    async run(call) {
      return callIn(await transport.send({ method: 'POST', path: '/simulation/calls', body: call }))
    },
    async find(id) {
      const response = await orGone(transport.send({ method: 'GET', path: `/simulation/calls/${id}` }))
      return response === undefined ? undefined : callIn(response)
    },
  }
}

const dateOf = (time: string | null) => (time === null ? null : new Date(time))

/** As JSON has it: times are texts. */
type Dated<T> = { [K in keyof T]: T[K] extends Date | null ? string | null : T[K] }
