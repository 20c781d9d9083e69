import { join } from 'node:path'
import { createSlots } from '../../api/rate-limit/slots.ts'
import { unobserved } from '../../outgoing/observe.ts'
import type { Files } from '../../storage/files.ts'
import { folderFiles } from '../../storage/folder.ts'
import { objectStoreFiles } from '../../storage/object-store.ts'
import { maxConcurrent } from '../concurrency.ts'
import type { Env } from '../env.ts'

const send = (address: string, init: RequestInit & { decompress?: boolean }) => fetch(address, init)

/** Uploaded files: in the object store of S3_ENDPOINT or, without it, in the data folder (contract: server 10). */
export function filesFor(
  { objectStore, dataDir, outsideTimes }: Pick<Env, 'objectStore' | 'dataDir' | 'outsideTimes'>,
  observe = unobserved,
): Files {
  if (!objectStore) return folderFiles(join(dataDir, 'files'))
  const slots = createSlots({ total: maxConcurrent.objectStore })
  const { objectStoreMs: responseMs } = outsideTimes
  const times = { responseMs, transferMs: responseMs * 3, downloadMs: responseMs * 15 }
  return objectStoreFiles({ ...objectStore, times, slots, fetch: observe('object store', send) })
}
