/** Where uploaded files are kept, by keys that services choose, such as `pictures/<uuid>.png`. */
export interface Files {
  /** Stores a file whole or not at all; one of the same key is replaced. A `Blob` is copied piece by piece. */
  put(key: string, content: Uint8Array<ArrayBuffer> | Blob, options?: { type?: string }): Promise<void>
  /** The bytes of a file, or undefined when there is none. */
  get(key: string): Promise<Uint8Array | undefined>
  /** The same as a stream, with its size in bytes. */
  stream(key: string): Promise<{ body: ReadableStream<Uint8Array>; size: number } | undefined>
  /** Removes a file; that there is none is no error. */
  delete(key: string): Promise<void>
}

const keyForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const maxKey = 255

/** Throws for a key that is not made of plain names with slashes between: no key leaves the place of the files. */
export function checkKey(key: string): void {
  if (key.length > maxKey || !keyForm.test(key)) throw new RangeError('This is not a key of a file')
}
