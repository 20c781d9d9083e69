import { basename, dirname } from 'node:path'
import { folderPlace } from '../../backup/place/folder.ts'
import type { Place } from '../../backup/place/place.ts'

/** The place that `to` names: a folder. */
export const placeFor = (to: string): Place => folderPlace(to)

/** One archive, by where it is. */
export function archiveAt(where: string): { place: Place; name: string } {
  return { place: placeFor(dirname(where)), name: basename(where) }
}
