/** Whose share of the object store a call takes: a workspace's, or that of what no workspace asks for. */
export type FileShare = number | 'public' | 'background'

/** What every call says of itself. */
export interface FileCall {
  share: FileShare
}

/**
 * Where uploaded files are kept, by keys that services choose, such as `pictures/<uuid>.png`. Where the store is
 * another machine, a call throws 429 with Retry-After when its share is taken, and an error when it does not end in
 * time.
 */
export interface Files {
  /** How long after a put was given up it may still store its file, in milliseconds; not at all unless given. */
  readonly lateMs?: number
  /** Stores a file whole or not at all; one of the same key is replaced. A `Blob` is copied piece by piece. */
  put(key: string, content: Uint8Array<ArrayBuffer> | Blob, call: FileCall & { type?: string }): Promise<void>
  /** The bytes of a file, or undefined when there is none. */
  get(key: string, call: FileCall): Promise<Uint8Array | undefined>
  /** Reads a file as a stream, with its size in bytes. */
  stream(key: string, call: FileCall): Promise<{ body: ReadableStream<Uint8Array>; size: number } | undefined>
  /** Removes a file, also one that a crash left unfinished; that there is none is no error. */
  delete(key: string, call: FileCall): Promise<void>
}

const keyForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const maxKey = 255

/** Throws for a key that is not made of plain names with slashes between: no key leaves the place of the files. */
export function checkKey(key: string): void {
  if (key.length > maxKey || !keyForm.test(key)) throw new RangeError('This is not a key of a file')
}
