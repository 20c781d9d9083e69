import { randomBytes } from 'node:crypto'
import type { AccountContext } from '../../api/context.ts'
import type { Dependencies } from '../../app/dependencies.ts'
import { mimeOf, pictureType } from './picture-type.ts'

const folder = 'pictures'
const nameForm = /^[0-9a-f]{48}\.(jpg|png|gif)$/

/** Stores a picture under a name that nobody can guess. Returns its key, which its public URL is made from. */
export async function storePicture(
  { files, account }: Pick<AccountContext, 'files' | 'account'>,
  picture: File,
): Promise<string> {
  const bytes = await picture.bytes()
  const type = pictureType(bytes)
  if (!type) throw new Error('This is not a picture')
  const key = `${folder}/${randomBytes(24).toString('hex')}.${type.extension}`
  await files.put(key, bytes, { share: account.workspaceId, type: type.mime })
  return key
}

type Remover = Pick<AccountContext, 'files' | 'account' | 'log'>

/** Removes a picture that nothing refers to any more; one that stays behind is only logged. */
export async function removePicture({ files, account, log }: Remover, key: string): Promise<void> {
  const removal = files.delete(key, { share: account.workspaceId })
  await removal.catch((error: unknown) => log.warn({ err: error, key }, 'a picture could not be removed'))
}

/** A stored picture by the last part of its public URL, or undefined. */
export async function readPicture(
  { files }: Pick<Dependencies, 'files'>,
  name: string,
): Promise<{ bytes: Uint8Array; type: string } | undefined> {
  const type = mimeOf(nameForm.exec(name)?.[1] ?? '')
  const bytes = type && (await files.get(`${folder}/${name}`, { share: 'public' }))
  return type && bytes && { bytes, type }
}
