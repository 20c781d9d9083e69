import { createThread } from '../../runtime/thread.ts'
import type { IndexedPassage } from './indexed.ts'

/** A file as it was uploaded. */
export interface FileBytes {
  name: string
  bytes: Uint8Array
}

/** A text of 200,000 characters takes a fifth of a second, which the thread that serves must not wait for. */
const thread = createThread<FileBytes, IndexedPassage[]>('splitter of files', new URL('./worker.ts', import.meta.url))

/**
 * The passages of a file's bytes; none where it is no text. Of a long text they are its beginning (contract: files 5).
 */
export const extractPassages = (file: FileBytes): Promise<IndexedPassage[]> => thread.ask(file)
