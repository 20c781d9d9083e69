/** Keys that are asked for together. */
interface Question<Key, Value> {
  keys: Set<Key>
  found: Promise<ReadonlyMap<Key, Value>>
}

/** More are asked for in a second question. */
const maxKeys = 100

/**
 * Makes of a question about many keys of a group one about a single key: those that come up in one turn of the event loop,
 * as the calls of a batch do, are asked for together. Each throws what the question throws.
 * @param nameOf what tells one group from another
 */
export function gathered<Group, Key, Value>(
  nameOf: (group: Group) => string,
  ask: (group: Group, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (group: Group, key: Key) => Promise<Value | undefined> {
  const open = new Map<string, Question<Key, Value>>()
  const begin = (name: string, group: Group): Question<Key, Value> => {
    const keys = new Set<Key>()
    const { promise: found, resolve } = Promise.withResolvers<ReadonlyMap<Key, Value>>()
    // Once all that is ready to run has run, and so has asked.
    process.nextTick(() => {
      if (open.get(name)?.keys === keys) open.delete(name)
      resolve(ask(group, [...keys]))
    })
    return { keys, found }
  }
  return async (group, key) => {
    const name = nameOf(group)
    let question = open.get(name)
    if (!question || question.keys.size >= maxKeys) {
      question = begin(name, group)
      open.set(name, question)
    }
    question.keys.add(key)
    return (await question.found).get(key)
  }
}
