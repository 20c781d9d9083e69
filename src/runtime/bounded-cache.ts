/** Values by key, of so many bytes at most: the one that was set longest ago gives way. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
  clear(): void
  keys(): Iterable<Key>
  /** How many entries are held. */
  readonly size: number
  /** How many bytes are held, as they are counted. */
  readonly bytes: number
}

/** What an entry takes beside its value. */
const entryBytes = 200

/** Makes a cache; `sizeOf` says about how many bytes a value takes. One that is larger than all is not kept. */
export function boundedCache<Key, Value>(maxBytes: number, sizeOf: (value: Value) => number): BoundedCache<Key, Value> {
  const entries = new Map<Key, { value: Value; size: number }>()
  let bytes = 0
  const drop = (key: Key) => {
    bytes -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }
  return {
    get: (key) => entries.get(key)?.value,
    set(key, value) {
      drop(key)
      const size = entryBytes + sizeOf(value)
      if (size > maxBytes) return
      entries.set(key, { value, size })
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    },
    delete: drop,
    clear() {
      entries.clear()
      bytes = 0
    },
    keys: () => entries.keys(),
    get size() {
      return entries.size
    },
    get bytes() {
      return bytes
    },
  }
}
