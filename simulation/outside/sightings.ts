import type { World } from '../world/world.ts'
import type { PlatformRequest, PlatformResponse } from './live-objects.ts'

/** A write of ours as it arrived: what it was made of had been read at `readAt`. */
interface Written {
  at: number
  readAt: number
  by: string
  /** What it named; the platform keeps the rest. */
  fields: readonly string[]
}

const remembered = 3

/**
 * Who read an object when, and wrote it when: between the read and the write of one writer lies a round trip, in which
 * a change of the same field that is made outside is overwritten unseen (decision 0017).
 */
export function createSightings(world: World) {
  const reads = new Map<string, number[]>()
  const writes = new Map<string, Written[]>()
  const deleted = new Map<string, { at: number; id: string }[]>()

  return {
    /** A request that is sent now; call the result when it was done, and say whether that was late. */
    send({ method, id, body }: PlatformRequest) {
      const { name } = world.actor()
      const key = `${name} ${id}`
      const known = reads.get(key) ?? []
      // What goes on in the background of a process shares one name: a sweep's read may stand between.
      const readAt =
        (name.includes('background') ? known.at(-2) : undefined) ?? known.at(-1) ?? Number.NEGATIVE_INFINITY
      return ({ status, body: response }: PlatformResponse, late = false) => {
        const made = method === 'POST' && typeof response === 'object' && response !== null && 'id' in response
        const about = made ? String(response.id) : id
        if (about === undefined || status >= 300) return
        const at = world.now()
        if (method === 'DELETE' && !late) deleted.set(name, [...(deleted.get(name) ?? []), { at, id: about }])
        if (method === 'GET') {
          reads.set(key, [...(reads.get(key) ?? []), at].slice(-remembered))
        } else if (method === 'PATCH' && Object.keys(body).length > 0) {
          const write = { at, readAt, by: name, fields: Object.keys(body) }
          writes.set(about, [...(writes.get(about) ?? []), write])
        }
      }
    },
    /** Whether a change of a field that was made outside at `at` could not be seen by a writer who overwrote it. */
    unseen: (id: string, at: number, field: string): boolean =>
      (writes.get(id) ?? []).some(
        (write) =>
          write.at >= at && write.readAt <= at && Number.isFinite(write.readAt) && write.fields.includes(field),
      ),
    writesOf: (id: string): readonly Written[] => writes.get(id) ?? [],
    /**
     * The objects that deletes of this actor took up to `endedAt`, before anybody could look whether they had: whoever
     * wakes recovery acts in what that does afterwards, too.
     */
    deletedBy: (actor: string, endedAt: number): readonly string[] =>
      (deleted.get(actor) ?? []).filter(({ at }) => at <= endedAt).map(({ id }) => id),
  }
}

export type Sightings = ReturnType<typeof createSightings>
