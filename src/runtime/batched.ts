/** Keys that are looked up with one query. */
interface Batch<Key, Value> {
  keys: Set<Key>
  found: Promise<ReadonlyMap<Key, Value>>
}

/** More keys begin a second batch. */
const usualKeys = 100

/**
 * Makes a look-up of one key from one of many: the keys of a group that are asked for in one turn of the event loop, as
 * the calls of a tRPC batch are, go into one query. What the query throws is thrown to each caller.
 * @param nameOf what tells one group from another
 * @param load looks up at most `maxKeys` keys; a key that is not in the map was not found
 */
export function batched<Group, Key, Value>(
  nameOf: (group: Group) => string,
  load: (group: Group, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  maxKeys = usualKeys,
): (group: Group, key: Key) => Promise<Value | undefined> {
  const open = new Map<string, Batch<Key, Value>>()
  const begin = (name: string, group: Group): Batch<Key, Value> => {
    const keys = new Set<Key>()
    const { promise: found, resolve } = Promise.withResolvers<ReadonlyMap<Key, Value>>()
    // After all callbacks that are ready have run, and added their keys.
    process.nextTick(() => {
      if (open.get(name)?.keys === keys) open.delete(name)
      resolve(load(group, [...keys]))
    })
    return { keys, found }
  }
  return async (group, key) => {
    const name = nameOf(group)
    let batch = open.get(name)
    if (!batch || batch.keys.size >= maxKeys) {
      batch = begin(name, group)
      open.set(name, batch)
    }
    batch.keys.add(key)
    return (await batch.found).get(key)
  }
}
