import { reconcileAssistant } from '../../src/resources/assistants/outside/reconcile.ts'
import { reconcileSquad } from '../../src/resources/squads/outside/reconcile.ts'
import type { DriftState } from '../judge/state.ts'
import { request, type Simulated } from '../simulated.ts'

const maxMs = 60_000

/** Brings together what drift tells of, one resource after the other: both sides' changes are kept. */
export async function reconcile(simulated: Simulated, drifts: readonly DriftState[]): Promise<void> {
  const { world, book } = simulated
  for (const { kind, ref, liveId, difference } of drifts) {
    if ((kind !== 'assistant' && kind !== 'squad') || ref === null) continue
    let done = false
    const keep = difference === 'missing' ? 'ours' : 'merge'
    const write = { subject: kind, action: 'reconcile', target: ref, token: book.token('r') } as const
    world.schedule(`reconciles ${ref}`, 0, () => {
      const ctx = request(simulated)
      if (!ctx) return
      void book
        .attempt(write, () =>
          kind === 'squad'
            ? reconcileSquad(ctx, { id: liveId, keep })
            : reconcileAssistant(ctx, { assistantId: ref, keep }),
        )
        .then(() => {
          done = true
        })
    })
    await world.run(() => done, maxMs)
  }
}
