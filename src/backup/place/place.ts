/** Where archives are kept. */
export interface Place {
  /**
   * Keeps an archive under a name, whole or not at all; one that it began to read and cannot keep it cancels. Returns
   * its size in bytes.
   */
  write(name: string, archive: ReadableStream<Uint8Array>): Promise<number>
  /** Throws BackupError when there is no such archive. */
  read(name: string): Promise<ReadableStream<Uint8Array>>
  /** Names of all archives, oldest first. */
  list(): Promise<string[]>
  delete(name: string): Promise<void>
  /** What people call an archive by. */
  label(name: string): string
}

const nameForm = /^switchboard-\d{8}T\d{6}Z\.tar\.gz$/

/** The name of an archive of a moment; names are in the order of time. */
export const archiveName = (at: Date): string =>
  `switchboard-${at
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '')}.tar.gz`

export const isArchiveName = (name: string): boolean => nameForm.test(name)

/** Deletes all archives of a place but the newest `keep`; returns the names of those that went. */
export async function keepNewest(place: Place, keep: number): Promise<string[]> {
  const old = (await place.list()).slice(0, -keep)
  for (const name of old) await place.delete(name)
  return old
}
