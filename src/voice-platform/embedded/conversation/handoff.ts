import { languages, stopWords } from '../../../knowledge/language.ts'
import { stemOf } from '../../../knowledge/stems.ts'
import type { Handoff, Seat } from './line.ts'

/** The forms of a word have one of these in common; a short line does not tell its language. */
const stemsOf = (word: string) => languages.map((language) => stemOf(word, language))

/** What words have in common that say nothing about what a destination is for. */
const common = new Set(
  'after asking before caller calling customer else every hello help look need only other please problem question speaking talking thank transfer want work'
    .split(' ')
    .flatMap(stemsOf),
)

const isTelling = (word: string) =>
  !languages.some((language) => stopWords[language].has(word) || common.has(stemOf(word, language)))

const stems = (text: string) =>
  new Set((text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter(isTelling).flatMap(stemsOf))

/** The first of those whose description shares most telling words with a line, one at least. */
export function closestTo<T>(
  line: string,
  all: readonly T[],
  descriptionOf: (one: T) => string | undefined,
): T | undefined {
  const said = stems(line)
  const shared = (one: T) => stems(descriptionOf(one) ?? '').intersection(said).size
  const [closest] = all
    .map((one) => ({ one, shared: shared(one) }))
    .filter((each) => each.shared > 0)
    .sort((a, b) => b.shared - a.shared)
  return closest?.one
}

/** Whether a line says a name, as words of its own: "I wanted to ask" does not say Ted. */
function says(line: string, name: string): boolean {
  const wanted = name.normalize('NFC').trim()
  const whole = `(?<![\\p{L}\\p{M}\\p{N}])${RegExp.escape(wanted)}(?![\\p{L}\\p{M}\\p{N}])`
  return wanted !== '' && new RegExp(whole, 'iu').test(line.normalize('NFC'))
}

/** A destination that a line of the caller calls for, and whose seat that is. */
export interface Switch {
  handoff: Handoff
  to: Seat
}

/**
 * Where the call goes after a line of the caller: the first destination whose name the line says, or whose description
 * shares a telling word with it. A rule stands in for the model's decision.
 */
export function switchOf(from: Seat, seats: readonly Seat[], line: string): Switch | undefined {
  const said = stems(line)
  for (const handoff of from.handoffs) {
    const to = seats.find(({ name }) => name === handoff.assistantName)
    if (!to || to === from) continue
    if (says(line, handoff.assistantName) || !stems(handoff.description ?? '').isDisjointFrom(said)) {
      return { handoff, to }
    }
  }
  return undefined
}
