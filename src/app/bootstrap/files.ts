import { join } from 'node:path'
import type { Files } from '../../storage/files.ts'
import { folderFiles } from '../../storage/folder.ts'
import { objectStoreFiles } from '../../storage/object-store.ts'
import type { Env } from '../env.ts'

/** Uploaded files: in the object store of S3_ENDPOINT or, without it, in the data folder (contract: server 10). */
export const filesFor = ({ objectStore, dataDir }: Pick<Env, 'objectStore' | 'dataDir'>): Files =>
  objectStore ? objectStoreFiles(objectStore) : folderFiles(join(dataDir, 'files'))
