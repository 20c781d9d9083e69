import { integer, text } from './forms.ts'
import { Setting } from './setting.ts'

/** A place in an object store: its bucket, and what every name in it begins with. */
export const bucketForm = /^s3:\/\/([^/]+)\/?(.*)$/

/** Whether a text names a place for backups: a folder, which no other address is. */
export const isPlace = (to: string): boolean => bucketForm.test(to) || !/^([a-z][\w+.-]*:\/\/|s3:)/i.test(to)
export const placeForm = 'must be a folder, or s3://bucket/prefix'

const place = text.refine(isPlace, placeForm)

/** Backups that an installation makes by itself, and what `switchboard backup` does unless told otherwise. */
export const backups = {
  /** A folder, or `s3://bucket/prefix`. */
  to: new Setting('BACKUP_TO', place.optional()),
  /** From one to the next; 0: none but those that are asked for. */
  hours: new Setting('BACKUP_HOURS', integer(8760).default(0)),
  /** Archives that are kept; 0: all. */
  keep: new Setting('BACKUP_KEEP', integer(10_000).default(14)),
}
