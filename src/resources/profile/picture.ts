import { randomBytes } from 'node:crypto'
import type { AccountContext } from '../../api/context.ts'
import type { NewObject } from '../deletions/storing.ts'
import { mimeOf, pictureType } from './picture-type.ts'

const folder = 'pictures'
const nameForm = /^[0-9a-f]{48}\.(jpg|png|gif)$/

/**
 * Reads a picture that was sent. It is to be stored under a name that nobody can guess: its public URL is made from its
 * key. Throws for what is none.
 */
export async function newPicture({ account }: Pick<AccountContext, 'account'>, picture: File): Promise<NewObject> {
  const content = await picture.bytes()
  const type = pictureType(content)
  if (!type) throw new Error('This is not a picture')
  const key = `${folder}/${randomBytes(24).toString('hex')}.${type.extension}`
  return { key, content, type: type.mime, share: account.workspaceId }
}

/** A stored picture by the last part of its public URL, or undefined. */
export async function readPicture(
  { files }: Pick<AccountContext, 'files'>,
  name: string,
): Promise<{ bytes: Uint8Array; type: string } | undefined> {
  const type = mimeOf(nameForm.exec(name)?.[1] ?? '')
  const bytes = type && (await files.get(`${folder}/${name}`, { share: 'public' }))
  return type && bytes && { bytes, type }
}
