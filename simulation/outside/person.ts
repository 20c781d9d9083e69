import { secondsOf } from '../clients/assistants.ts'
import type { Simulated } from '../simulated.ts'
import { type LiveKind, type LiveObject, referenceOf } from './live-objects.ts'

/** What a person changes on the dashboard: fields of the record, and one that no record has. */
const fields = ['firstMessage', 'endCallMessage', 'voicemailMessage', 'dashboardNote'] as const

const query = new URLSearchParams()

/** An object of ours on the platform, of one of these kinds. */
function pick({ objects, world }: Simulated, kinds: readonly LiveKind[]): LiveObject | undefined {
  const ours = [...objects.all.values()].filter(
    (object) => kinds.includes(object.kind) && referenceOf(object) !== undefined,
  )
  return world.random().pick(ours)
}

export function edit(simulated: Simulated): void {
  const { book, objects, world } = simulated
  const [found, field] = [pick(simulated, ['assistant']), world.random().pick(fields)]
  if (!found || !field) return
  const token = book.token('e')
  const seconds = secondsOf(token)
  const body = { [field]: `Changed by ${token}.`, ...(seconds !== undefined && { maxDurationSeconds: seconds }) }
  objects.perform({ method: 'PATCH', kind: found.kind, id: found.id, query, body })
  book.edit({ liveId: found.id, action: 'edit', token, field })
}

export function remove(simulated: Simulated): void {
  const found = pick(simulated, ['assistant', 'squad'])
  if (!found) return
  simulated.objects.perform({ method: 'DELETE', kind: found.kind, id: found.id, query, body: {} })
  simulated.book.edit({ liveId: found.id, action: 'delete', token: simulated.book.token('v'), field: '' })
}

export function create({ book, objects }: Simulated): void {
  const token = book.token('s')
  const { body } = objects.perform({ method: 'POST', kind: 'assistant', id: undefined, query, body: { name: token } })
  book.edit({ liveId: String(Object(body).id), action: 'create', token, field: '' })
}
