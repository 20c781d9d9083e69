/** The paths that begin alike, by their next key. */
interface Node {
  isEnd: boolean
  next: Map<string, Node>
}

const emptyNode = (): Node => ({ isEnd: false, next: new Map() })

/**
 * Whether a path is among some others, leads to one of them, or one of them leads to it. It is asked for each leaf of a
 * body, so what it takes does not grow with the number of the others.
 */
export function overlapping(others: Iterable<readonly string[]>): (path: readonly string[]) => boolean {
  const root = emptyNode()
  for (const other of others) {
    let node = root
    for (const key of other) {
      const next = node.next.get(key) ?? emptyNode()
      node.next.set(key, next)
      node = next
    }
    node.isEnd = true
  }
  return (path) => {
    let node = root
    for (const key of path) {
      if (node.isEnd) return true
      const next = node.next.get(key)
      if (!next) return false
      node = next
    }
    return node.isEnd || node.next.size > 0
  }
}
