import type { PlatformObject } from '../store/store.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { type Conversation, type Turn, turnsOf } from './conversation.ts'
import type { Line } from './line.ts'

/** Dollars: what the simulation charges, so that statistics have something to add up. */
const prices = {
  platformMinute: 0.05,
  phoneMinute: 0.015,
  transcriberMinute: 0.01,
  voiceCharacter: 0.00003,
  token: 0.000002,
}
const charactersPerToken = 4

const round = (value: number) => Number(value.toFixed(4))

/** The name of who carries a call's sound; the description knows no name for an own trunk. */
function transportOf(phoneNumber: PlatformObject | undefined): string {
  if (!phoneNumber) return 'daily'
  return phoneNumber.body.provider === 'twilio' ? 'twilio' : 'vapi.sip'
}

/** What a call costs: its parts one by one (`costs`), the same as a table (`costBreakdown`), and their sum. */
export function costOf(conversation: Conversation, { first, phoneNumber }: Line) {
  const { model = {}, transcriber = {}, voice = {} } = first?.assistant ?? {}
  const minutes = conversation.seconds / 60
  const turns = turnsOf(conversation)
  const charactersOf = (role: Turn['role']) =>
    turns.filter((turn) => turn.role === role).reduce((sum, { text }) => sum + text.length, 0)
  const characters = charactersOf('assistant')
  const prompt = conversation.prompts.reduce((sum, { length }) => sum + length, charactersOf('user'))
  const promptTokens = Math.ceil(prompt / charactersPerToken)
  const completionTokens = Math.ceil(characters / charactersPerToken)
  const parts = {
    transport: round(phoneNumber ? minutes * prices.phoneMinute : 0),
    stt: round(minutes * prices.transcriberMinute),
    llm: round((promptTokens + completionTokens) * prices.token),
    tts: round(characters * prices.voiceCharacter),
    vapi: round(minutes * prices.platformMinute),
  }
  const total = round(Object.values(parts).reduce((sum, value) => sum + value, 0))
  return {
    cost: total,
    costBreakdown: {
      ...parts,
      total,
      llmPromptTokens: promptTokens,
      llmCompletionTokens: completionTokens,
      ttsCharacters: characters,
    },
    costs: [
      { type: 'transport', provider: transportOf(phoneNumber), minutes: round(minutes), cost: parts.transport },
      { type: 'transcriber', transcriber: withoutSecrets(transcriber), minutes: round(minutes), cost: parts.stt },
      { type: 'model', model: named(model), promptTokens, completionTokens, cost: parts.llm },
      { type: 'voice', voice: withoutSecrets(voice), characters, cost: parts.tts },
      { type: 'vapi', subType: 'normal', minutes: round(minutes), cost: parts.vapi },
    ],
  }
}

/** A model without its prompt and its tools. */
const named = ({ provider, model }: { provider?: unknown; model?: unknown }) => ({
  ...(provider !== undefined && { provider }),
  ...(model !== undefined && { model }),
})
