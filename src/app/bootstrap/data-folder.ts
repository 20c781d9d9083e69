import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { makePrivateFolder } from '../../storage/private-folder.ts'
import { makeWholeFile } from '../../storage/whole-file.ts'
import { EnvError } from '../env.ts'
import { adminKey, secretsKey, token } from '../settings/forms.ts'

/**
 * A secret kept in the data folder, readable by its owner only, made where there is none.
 * @param emptyIsLost whether something may stand behind an empty file that only its text opens; else it is made anew
 * @throws EnvError that names the file when it is empty and lost, or when its text has not the form of the setting that
 *   it stands for
 */
async function keptSecret<T>(
  dataDir: string,
  name: string,
  form: z.ZodType<T, string>,
  make: () => string,
  { emptyIsLost = false } = {},
): Promise<T> {
  makePrivateFolder(dataDir)
  const file = join(dataDir, name)
  await makeWholeFile(file, () => `${make()}\n`, { emptyToo: !emptyIsLost })
  await chmod(file, 0o600)
  const text = await readFile(file, 'utf8')
  if (text === '') throw new EnvError([`${file} ${emptyFile}`])
  const { data, error } = form.safeParse(text.trim())
  if (error) throw new EnvError([`${file} ${error.issues[0]?.message}`])
  return data
}

const emptyFile =
  'is empty: put the key back from where it is kept. Where this installation has stored no secret yet, delete the file, and the next start makes one'

const adminKeyName = 'admin-api-key'
const platformKeyName = 'voice-platform-api-key'
const platformPublicKeyName = 'voice-platform-public-key'
const secretsKeyName = 'secrets-key'

/** What a server makes in its data folder to be kept with what it holds. */
export const keyFiles: readonly string[] = [adminKeyName, platformKeyName, platformPublicKeyName, secretsKeyName]

/** The first admin's token, made at the first start (contract: server 6). */
export const adminKeyIn = (dataDir: string, make: () => string): Promise<string> =>
  keptSecret(dataDir, adminKeyName, adminKey, make)

/** The embedded platform's keys. They never leave the process, except the public one for widgets. */
export async function platformKeysIn(dataDir: string): Promise<{ apiKey: string; publicKey: string }> {
  const make = (prefix: string) => () =>
    `${prefix}_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex')}`
  const apiKey = await keptSecret(dataDir, platformKeyName, token, make('sk'))
  const publicKey = await keptSecret(dataDir, platformPublicKeyName, token, make('pk'))
  return { apiKey, publicKey }
}

/** Where the data folder keeps the key that encrypts stored secrets. */
export const secretsKeyFile = (dataDir: string): string => join(dataDir, secretsKeyName)

export const hasSecretsKey = (dataDir: string): boolean => existsSync(secretsKeyFile(dataDir))

/** The key that encrypts stored secrets: 32 bytes (contract: server 14). */
export const secretsKeyIn = (dataDir: string): Promise<Uint8Array> =>
  keptSecret(
    dataDir,
    secretsKeyName,
    secretsKey,
    () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
    { emptyIsLost: true },
  )
