import type { Handoff, Seat } from './line.ts'

const stem = (word: string) => word.slice(0, 5)

/** Words that say nothing about what a destination is for. */
const common = new Set(
  'about after anything asked asking asks before caller calls customer doing else every from have having hello needs other please question questions speak talk talks thank thanks that their them there they this transfer wants what when where which will with would your'
    .split(' ')
    .map(stem),
)

const stems = (text: string) =>
  new Set((text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map(stem).filter((word) => !common.has(word)))

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
    const byName = line.toLowerCase().includes(handoff.assistantName.toLowerCase())
    if (byName || !stems(handoff.description ?? '').isDisjointFrom(said)) return { handoff, to }
  }
  return undefined
}
