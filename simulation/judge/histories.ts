import { greetingOf, secondsOf } from '../clients/assistants.ts'
import type { Simulated } from '../simulated.ts'
import type { State } from './state.ts'
import { type Violation, violation } from './violation.ts'

/** What a person writes on the dashboard. */
const editsIn = (text: string) => new Set(text.match(/Changed by e\d+\./g))

/**
 * A save that does not name the greeting leaves it as the entry before has it, and one that does has it; an entry for
 * what was changed outside has something that somebody changed.
 */
export function judgeHistories({ book }: Simulated, { assistants }: State): Violation[] {
  const silent = new Set(
    book.writes.filter(({ action, greets }) => action === 'update' && !greets).map(({ token }) => token),
  )
  const greeting = new Set(
    book.writes.filter(({ action, greets }) => action === 'update' && greets).map(({ token }) => token),
  )
  return assistants.flatMap(({ ref, versions }) =>
    versions.flatMap((version, index) => {
      const before = versions[index - 1]
      const isSave = version.source === 'regular' && version.action === 'updated'
      if (isSave && greeting.has(version.name) && version.greeting !== greetingOf(version.name)) {
        return [violation('acknowledged')(`${version.name} of ${ref} greets with "${version.greeting}"`)]
      }
      const seconds = secondsOf(version.name)
      if (isSave && seconds !== undefined && version.seconds !== String(seconds)) {
        return [violation('acknowledged')(`${version.name} of ${ref} lasts ${version.seconds} seconds, not ${seconds}`)]
      }
      if (before && version.source === 'platform') {
        const known = editsIn(before.live)
        if ([...editsIn(version.live)].some((edit) => !known.has(edit))) return []
        const isSeconds = book.edits.some(({ token }) => String(secondsOf(token)) === version.seconds)
        if (isSeconds && version.seconds !== before.seconds) return []
        return [
          violation('no false drift')(`an entry of ${ref} (${version.name}) for a change that nobody made outside`),
        ]
      }
      if (before && isSave && seconds === undefined && version.seconds !== before.seconds) {
        const what = `${version.name} of ${ref} turned ${before.seconds} seconds into ${version.seconds}`
        return [violation('nothing else')(what)]
      }
      if (!before || !isSave || !silent.has(version.name) || version.greeting === before.greeting) return []
      const what = `${version.name} of ${ref} turned "${before.greeting}" into "${version.greeting}"`
      return [violation('nothing else')(what)]
    }),
  )
}
