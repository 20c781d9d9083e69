import { z } from 'zod'

/**
 * What an archive is: a gzipped tar with, in this order, `backup.json` (Header), the rows of each table in parts,
 * `rows/<table>/<part>.jsonl`, the stored files, `files/<key>`, and `manifest.json` (Manifest). One without its
 * manifest is not whole. A line of rows is a JSON array with PostgreSQL's text of each column, or null, in the order of
 * the header.
 */
export const archiveFormat = 1
export const headerName = 'backup.json'
export const manifestName = 'manifest.json'
export const filesFolder = 'files/'
/** What a part of rows is about as large as, in bytes, unless one row is larger. */
export const partBytes = 1024 * 1024

/** Where a part of a table's rows is. */
export const rowsName = (table: string, part: number): string => `rows/${table}/${String(part).padStart(6, '0')}.jsonl`

/** The table whose rows an entry has, or undefined. */
export const tableOf = (name: string): string | undefined => /^rows\/([^/]+)\/\d+\.jsonl$/.exec(name)?.[1]

const Column = z.object({ name: z.string(), type: z.string() })
const Table = z.object({ name: z.string(), columns: z.array(Column) })

/** What an archive says of itself first. */
export const Header = z.object({
  format: z.literal(archiveFormat, 'This archive has another format, or is none of Switchboard.'),
  version: z.string(),
  made_at: z.iso.datetime(),
  /** A text sealed with the installation's SECRETS_KEY, by which another key is found out; null: never started. */
  secrets_key: z.string().nullable(),
  /** Moments of the migrations that the database had, in their order. */
  migrations: z.array(z.number().int()),
  tables: z.array(Table),
})
export type Header = z.infer<typeof Header>
export type TableShape = z.infer<typeof Table>

const Sum = z.object({ count: z.number().int(), hash: z.string() })

/** What was written, to compare with. */
export const Manifest = z.object({
  tables: z.record(z.string(), Sum),
  /** Of lines `<key> <SHA-256>`. */
  files: Sum.extend({ bytes: z.number().int() }),
  /** Files that rows name and the store did not have. */
  missing_files: z.number().int(),
  sequences: z.record(z.string(), z.number().int()),
})
export type Manifest = z.infer<typeof Manifest>

/** One file of an archive; its body is read once, before the next entry is asked for. */
export interface Entry {
  name: string
  /** Bytes. */
  size: number
  body: Uint8Array | ReadableStream<Uint8Array>
}

/** An archive cannot be restored, or is not what it says; the message is for operators. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
