import type { z } from 'zod'
import { integer, text } from './forms.ts'

/** A place in an object store: its bucket, and what every name in it begins with. */
export const bucketForm = /^s3:\/\/([^/]+)\/?(.*)$/

/** Whether a text names a place for backups: a folder, which no other address is. */
export const isPlace = (to: string): boolean => bucketForm.test(to) || !/^([a-z][\w+.-]*:\/\/|s3:)/i.test(to)
export const placeForm = 'must be a folder, or s3://bucket/prefix'

const place = text.refine(isPlace, placeForm)

/** Where backups go, and how often they are made. */
export const backupVariables = {
  BACKUP_TO: place.optional(),
  BACKUP_HOURS: integer(8760).default(0),
  BACKUP_KEEP: integer(10_000).default(14),
}

/** Backups that an installation makes by itself, and what `switchboard backup` does unless told otherwise. */
export interface BackupSettings {
  /** A folder, or `s3://bucket/prefix`. */
  to: string | undefined
  /** From one to the next; 0: none but those that are asked for. */
  hours: number
  /** Archives that are kept; 0: all. */
  keep: number
}

/** What the variables say. */
export const backupSettings = (v: z.output<z.ZodObject<typeof backupVariables>>): BackupSettings => ({
  to: v.BACKUP_TO,
  hours: v.BACKUP_HOURS,
  keep: v.BACKUP_KEEP,
})
