import { basename, dirname, resolve } from 'node:path'
import { BackupError } from '../../backup/format.ts'
import { bucketPlace } from '../../backup/place/bucket.ts'
import { folderPlace } from '../../backup/place/folder.ts'
import type { Place } from '../../backup/place/place.ts'
import type { Env } from '../env.ts'
import { bucketForm, isPlace, placeForm } from '../settings/backups.ts'

/**
 * The place that `to` names: a folder, or `s3://bucket/prefix` at the object store of the settings.
 * @throws BackupError without those settings, and for another address.
 */
export function placeFor(to: string, { objectStore, outsideTimes }: Pick<Env, 'objectStore' | 'outsideTimes'>): Place {
  if (!isPlace(to)) throw new BackupError(`The place of backups ${placeForm}.`)
  const [, bucket, path] = bucketForm.exec(to) ?? []
  if (bucket === undefined || path === undefined) return folderPlace(resolve(to))
  if (!objectStore) throw new BackupError('A place in an object store needs S3_ENDPOINT and its keys.')
  const prefix = path === '' ? '' : `${path.replace(/\/+$/, '')}/`
  const client = new Bun.S3Client({ ...objectStore, bucket })
  return bucketPlace({ client, prefix, label: `s3://${bucket}/${prefix}`, ms: outsideTimes.objectStoreMs * 3 })
}

/** One archive, by where it is. */
export function archiveAt(where: string, env: Parameters<typeof placeFor>[1]): { place: Place; name: string } {
  const cut = where.lastIndexOf('/')
  const folder = bucketForm.test(where) ? where.slice(0, cut) : dirname(where)
  return { place: placeFor(folder, env), name: basename(where) }
}
