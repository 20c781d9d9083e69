import { create, remove, update } from '../clients/assistants.ts'
import { buy, route } from '../clients/numbers.ts'
import type { Simulated } from '../simulated.ts'
import { type Violation, violation } from './violation.ts'

const maxMs = 60_000
const freshNumber = '+14155550199'

/** Has one operation after the other done while nothing breaks: each succeeds. */
export async function judgeServing(simulated: Simulated): Promise<Violation[]> {
  const { world, book } = simulated
  const made = () =>
    book.writes.findLast(({ subject, action }) => subject === 'assistant' && action === 'create')?.target
  const steps: [string, () => Promise<unknown>][] = [
    ['create', () => create({ ...simulated, profile: { ...simulated.profile, maxAssistants: 100 } })],
    ['update', () => update(simulated, made())],
    ['buy', () => buy(simulated, freshNumber)],
    ['route', () => route(simulated, freshNumber)],
    ['delete', () => remove(simulated, made())],
  ]
  for (const [name, step] of steps) {
    let ended = false
    world.schedule(`at rest: ${name}`, 0, () => {
      void step().then(() => {
        ended = true
      })
    })
    await world.run(() => ended, maxMs)
    const last = book.writes.at(-1)
    if (!ended || last?.outcome !== 'done') return [violation('serves')(`${name}: ${last?.said ?? 'nothing was done'}`)]
  }
  return [...book.broken]
}
