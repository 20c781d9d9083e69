import { isObject, type Json } from '../../../json/object.ts'
import type { Asker, CallableTool, ChatMessage, Converse, Speaker } from '../../converse.ts'

import { type Caller, isFarewell, nextLine } from './caller.ts'
import { type Switch, switchOf } from './handoff.ts'
import type { Handoff, Member, Seat } from './line.ts'
import { nextPart } from './parts.ts'
import { type AskTool, type Ending, type Tool, type ToolCall, toldToModel, useTool } from './tools.ts'

/** What somebody said; times are seconds from the start of the call. */
export interface Turn {
  role: 'assistant' | 'user'
  text: string
  start: number
  end: number
  member: Member
}

/** What happened, in order. */
export type Happening =
  | { kind: 'said'; turn: Turn }
  | { kind: 'handed-over'; from: Member; to: Member; handoff: Handoff; at: number }
  | { kind: 'hang'; at: number; member: Member }
  | { kind: 'tool-called'; call: ToolCall; result: string; at: number; member: Member }
  | { kind: 'forwarded'; destination: Json; at: number; member: Member }

/** What a conversation asks for. */
export interface Outside {
  converse: Converse
  askTool: AskTool
  /** The tools of a member that can be used in this call. */
  toolsOf: (member: Member) => readonly Tool[]
  newId: () => string
  /** The number of the call. */
  phoneNumberId: string | undefined
  asker?: Asker | undefined
}

export interface Conversation {
  happenings: Happening[]
  /** The prompts of the members that spoke, in order. */
  prompts: string[]
  endedReason: string
  /** Who has the call now, where it was forwarded. */
  destination: Json | undefined
  seconds: number
}

/** What was said in a conversation, in its order. */
export const turnsOf = ({ happenings }: Pick<Conversation, 'happenings'>): Turn[] =>
  happenings.flatMap((happening) => (happening.kind === 'said' ? [happening.turn] : []))

const charactersPerSecond = 15
const latencySeconds = 0.8
const silenceSeconds = 30
const defaultMaxSeconds = 600
/** The platform tells that the assistant hangs when nothing was said for so long. */
const hangSeconds = 5

/** What a model is told that has to speak first. */
const callBegins: ChatMessage = { role: 'user', content: '(The call begins. Greet the caller.)' }

/** A model that calls tools without end is told to stop. */
const maxToolCalls = 30
const tooManyCalls = 'Error: no tool can be called in this call any more.'

const modelFailed = 'call.in-progress.error-providerfault-openai-llm-failed'

const round = (seconds: number) => Math.round(seconds * 100) / 100

/** Ends the conversation where it stands. */
class Ended extends Error {
  constructor(
    readonly reason: string,
    readonly destination?: Json,
  ) {
    super(reason)
  }
}

function promptsOf({ assistant }: Member): ChatMessage[] {
  const messages = isObject(assistant.model) ? assistant.model.messages : undefined
  return (Array.isArray(messages) ? messages : []).flatMap(({ role, content }) =>
    (role === 'system' || role === 'user' || role === 'assistant') && typeof content === 'string'
      ? [{ role, content }]
      : [],
  )
}

/** Runs a conversation on a clock of its own: speaking takes time, thinking a fixed time. */
export async function converseWith(
  seats: readonly [Seat, ...Seat[]],
  caller: Caller,
  { converse, askTool, toolsOf, newId, phoneNumberId, asker }: Outside,
): Promise<Conversation> {
  let [seat] = seats
  let member = await seat.member()
  let prompt = promptsOf(member)
  let history: ChatMessage[] = []
  let now = 0
  const happenings: Happening[] = []
  const prompts = new Set<string>()
  const limit = member.assistant.maxDurationSeconds ?? defaultMaxSeconds

  const pass = (seconds: number) => {
    now = Math.min(limit, now + seconds)
    if (now >= limit) throw new Ended('exceeded-max-duration')
  }

  const say = (role: Turn['role'], text: string) => {
    const words = text.trim()
    if (words === '') return
    const start = round(now)
    const end = round(Math.min(limit, now + Math.max(1, words.length / charactersPerSecond)))
    happenings.push({ kind: 'said', turn: { role, text: words, start, end, member } })
    history.push({ role, content: words })
    pass(Math.max(1, words.length / charactersPerSecond))
    if (role === 'assistant' && endsTheCall(member, words)) throw new Ended('assistant-said-end-call-phrase')
    pass(latencySeconds)
  }

  let toolCalls = 0
  /** What a tool that was used while a reply was made has ended the call with. */
  let ends: Ending | undefined

  const call = async (tool: Tool, name: string, input: unknown): Promise<string> => {
    if (++toolCalls > maxToolCalls) return tooManyCalls
    const user = member
    const made = { id: newId(), type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } } as const
    const line = history.findLast(({ role }) => role === 'user')?.content ?? ''
    const use = await useTool(tool, input, line, () => askTool(tool, made, user))
    happenings.push({ kind: 'tool-called', call: made, result: use.result, at: round(now), member: user })
    ends ??= use.ends
    return use.result
  }

  const offered = (): CallableTool[] =>
    toolsOf(member).flatMap((tool) => {
      const told = toldToModel(tool)
      return told ? [{ ...told, call: (input) => call(tool, told.name, input) }] : []
    })

  const endByTool = ({ reason, destination }: Ending) => {
    if (typeof destination?.message === 'string') say('assistant', destination.message)
    if (destination) happenings.push({ kind: 'forwarded', destination, at: round(now), member })
    throw new Ended(reason, destination)
  }

  const speaking = (): Speaker => ({ assistantId: member.assistantId, phoneNumberId, onPhone: true, asker })

  const reply = async () => {
    for (const { role, content } of prompt) if (role === 'system') prompts.add(content)
    const startedAt = performance.now()
    const heard = history.length > 0 ? history : [callBegins]
    const speaker = { ...speaking(), tools: offered() }
    const answer = await converse([...prompt, ...heard], speaker).catch(() => {
      throw new Ended(modelFailed)
    })
    if (performance.now() - startedAt >= hangSeconds * 1000) {
      happenings.push({ kind: 'hang', at: round(now), member })
    }
    // A model that only quotes reads out what it was told of the tool.
    if (!ends || !answer.includes(ends.note)) say('assistant', answer)
    if (ends) endByTool(ends)
  }

  const greet = async () => {
    const { firstMessage, firstMessageMode } = member.assistant
    if (firstMessageMode === 'assistant-waits-for-user') return
    if (firstMessageMode === 'assistant-speaks-first-with-model-generated-message') await reply()
    else say('assistant', firstMessage ?? '')
  }

  const handOver = async ({ handoff, to: next }: Switch, line: string) => {
    say('assistant', handoff.message ?? '')
    const to = await next.member()
    happenings.push({ kind: 'handed-over', from: member, to, handoff, at: round(now) })
    const spoken = happenings.length
    seat = next
    member = to
    prompt = handoff.transferMode === 'rolling-history' ? [...prompt, ...promptsOf(to)] : promptsOf(to)
    if (handoff.transferMode === 'delete-history') history = []
    await greet()
    if (happenings.length > spoken) return
    // Who takes over responds to what was said last by the caller.
    if (history.at(-1)?.role !== 'user') history.push({ role: 'user', content: line })
    await reply()
  }

  /** The whole call as it was heard: a hand-over makes the assistant forget, not the caller. */
  const heardSoFar = (): ChatMessage[] => turnsOf({ happenings }).map(({ role, text }) => ({ role, content: text }))

  const callersLine = (spoken: number) => {
    return nextLine(caller, spoken, heardSoFar(), { converse, speaker: speaking() }).catch(() => {
      throw new Ended(modelFailed)
    })
  }

  const talk = async () => {
    await greet()
    for (let spoken = 0; ; spoken++) {
      await nextPart()
      const line = await callersLine(spoken)
      if (line === undefined) break
      say('user', line)
      const next = switchOf(seat, seats, line)
      if (next) await handOver(next, line)
      else if (isFarewell(line) && member.assistant.endCallMessage) {
        say('assistant', member.assistant.endCallMessage)
        throw new Ended('assistant-ended-call')
      } else await reply()
    }
    if (caller.silent) {
      pass(silenceSeconds)
      throw new Ended('silence-timed-out')
    }
    throw new Ended('customer-ended-call')
  }

  const leaveMessage = () => {
    const [greeting = ''] = caller.lines
    say('user', greeting)
    say('assistant', member.assistant.voicemailMessage ?? '')
    throw new Ended('voicemail')
  }

  const detects = member.assistant.voicemailDetection !== undefined && member.assistant.voicemailDetection !== 'off'
  try {
    if (caller.answers === 'machine' && detects) leaveMessage()
    await talk()
    throw new Error('A conversation ends by its rules')
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    const { reason: endedReason, destination } = error
    return { happenings, prompts: [...prompts], endedReason, destination, seconds: round(now) }
  }
}

function endsTheCall({ assistant }: Member, words: string): boolean {
  const said = words.toLowerCase()
  return (assistant.endCallPhrases ?? []).some((phrase) => said.includes(phrase.toLowerCase()))
}
