import { isNone } from './changes.ts'
import type { Change } from './table.ts'

const maxShown = 60

/** A value in a sentence; undefined for one that is too long for it. */
function inWords(value: unknown, name: string | string[] | undefined): string | undefined {
  const text = Array.isArray(name) ? name.join(', ') : JSON.stringify(name ?? value)
  return text !== undefined && text.length <= maxShown ? text : undefined
}

const lines = (count: number) => `${count} line${count === 1 ? '' : 's'}`

/** What people call what the fields of an assistant name; other fields have the names that they have. */
const labels = new Map([
  ['firstMessage', 'the first message'],
  ['endCallMessage', 'the end-call message'],
  ['voicemailMessage', 'the voicemail message'],
  ['rendered.first_message', 'what is said first'],
  ['rendered.end_call_message', 'what is said last'],
  ['template_id', 'the template'],
  ['personality_id', 'the personality'],
  ['base_config_id', 'the base config'],
  ['industry_template_id', 'the industry template'],
  ['layer2_key', 'the preset'],
  ['model.toolIds', 'the tools'],
  ['system_prompt', 'the system prompt'],
])
const message = /^(model|rendered)\.messages\.(\d+)(?:\.(role|content))?$/

function labelOf(path: string): string {
  const [, side, place, part] = message.exec(path) ?? []
  if (place === undefined) return labels.get(path) ?? path
  const whole = `message ${Number(place) + 1}${side === 'rendered' ? ' as the model gets it' : ''}`
  return part === 'role' ? `the role of ${whole}` : whole
}

/** One sentence that says a change: `Changed voice.speed from 1 to 1.2.` */
export function sentenceOf({ path: field, from, to, diff, from_name, to_name }: Change): string {
  const path = labelOf(field)
  const [isNew, isGone] = [isNone(from), isNone(to)]
  if (isNew && isGone) return `Changed ${path}.`
  if (isGone) return `Removed ${path}.`
  const [old, current] = [inWords(from, from_name), inWords(to, to_name)]
  if (isNew) return current === undefined ? `Set ${path}.` : `Set ${path} to ${current}.`
  if (diff) {
    const count = (sign: string) => diff.filter((line) => line.startsWith(sign)).length
    return `Changed ${path}: ${lines(count('+'))} added, ${count('-')} removed.`
  }
  const isSaid = old !== undefined && current !== undefined && old !== current
  return isSaid ? `Changed ${path} from ${old} to ${current}.` : `Changed ${path}.`
}

const maxSentences = 3

/** What changed, in a few sentences, and how much more there is. */
export function summarize(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Changed the live configuration.'
  const more = changes.length - maxSentences
  const rest = more > 0 ? [`${more} more change${more === 1 ? '' : 's'}.`] : []
  return [...changes.slice(0, maxSentences).map(sentenceOf), ...rest].join(' ')
}
