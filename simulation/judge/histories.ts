import type { Simulated } from '../simulated.ts'
import type { State } from './state.ts'
import { type Violation, violation } from './violation.ts'

/** A save that does not name the greeting leaves it as the entry before has it. */
export function judgeHistories({ book }: Simulated, { assistants }: State): Violation[] {
  const silent = new Set(
    book.writes.filter(({ action, greets }) => action === 'update' && !greets).map(({ token }) => token),
  )
  return assistants.flatMap(({ ref, versions }) =>
    versions.flatMap((version, index) => {
      const before = versions[index - 1]
      const isSave = version.source === 'regular' && version.action === 'updated'
      if (!before || !isSave || !silent.has(version.name) || version.greeting === before.greeting) return []
      const what = `${version.name} of ${ref} turned "${before.greeting}" into "${version.greeting}"`
      return [violation('nothing else')(what)]
    }),
  )
}
