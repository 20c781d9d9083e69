import type { Bounds, PlatformObject, PlatformStore } from './store.ts'

/** Whether a time is within its bounds. */
export function isWithin(time: Date, { gt, ge, lt, le }: Bounds): boolean {
  return !((gt && time <= gt) || (ge && time < ge) || (lt && time >= lt) || (le && time > le))
}

/** A store that is gone with the process: for `bun run platform` and for tests. */
export function createMemoryStore(): PlatformStore {
  const objects = new Map<string, PlatformObject>()
  const find = (kind: string, id: string) => {
    const found = objects.get(id)
    return found?.kind === kind ? structuredClone(found) : null
  }
  return {
    async insert(object) {
      objects.set(object.id, structuredClone(object))
    },
    find: async (kind, id) => find(kind, id),
    isTaken: async (kind, field, text, otherThan) =>
      objects.values().some((one) => one.kind === kind && one.id !== otherThan && one.body[field] === text),
    async list(kind, { limit, createdAt, updatedAt }) {
      return [...objects.values()]
        .filter((one) => one.kind === kind && isWithin(one.createdAt, createdAt) && isWithin(one.updatedAt, updatedAt))
        .reverse()
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .slice(0, limit)
        .map((one) => structuredClone(one))
    },
    async patch(kind, id, { set, unset, at }) {
      const found = find(kind, id)
      if (!found) return null
      const body = { ...found.body, ...structuredClone(set) }
      for (const name of unset) delete body[name]
      const changed = { ...found, body, updatedAt: at }
      objects.set(id, changed)
      return structuredClone(changed)
    },
    async remove(kind, id) {
      const found = find(kind, id)
      if (found) objects.delete(id)
      return found
    },
    async removeOlder(kind, before) {
      for (const [id, object] of objects) {
        if (object.kind === kind && object.updatedAt < before) objects.delete(id)
      }
    },
  }
}
