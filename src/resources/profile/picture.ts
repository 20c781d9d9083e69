import { randomBytes } from 'node:crypto'
import type { Dependencies } from '../../app/dependencies.ts'
import { mimeOf, pictureType } from './picture-type.ts'

const folder = 'pictures'
const nameForm = /^[0-9a-f]{48}\.(jpg|png|gif)$/

/** Stores a picture under a name that nobody can guess. Returns its key, which its public URL is made from. */
export async function storePicture({ files }: Pick<Dependencies, 'files'>, picture: File): Promise<string> {
  const bytes = await picture.bytes()
  const type = pictureType(bytes)
  if (!type) throw new Error('This is not a picture')
  const key = `${folder}/${randomBytes(24).toString('hex')}.${type.extension}`
  await files.put(key, bytes, { type: type.mime })
  return key
}

/** Removes a picture that nothing refers to any more; one that stays behind is only logged. */
export async function removePicture({ files, log }: Pick<Dependencies, 'files' | 'log'>, key: string): Promise<void> {
  await files.delete(key).catch((error: unknown) => log.warn({ err: error, key }, 'a picture could not be removed'))
}

/** A stored picture by the last part of its public URL, or undefined. */
export async function readPicture(
  { files }: Pick<Dependencies, 'files'>,
  name: string,
): Promise<{ bytes: Uint8Array; type: string } | undefined> {
  const type = mimeOf(nameForm.exec(name)?.[1] ?? '')
  const bytes = type && (await files.get(`${folder}/${name}`))
  return type && bytes && { bytes, type }
}
