import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { makePrivateFolder } from '../../storage/private-folder.ts'
import { EnvError } from '../env.ts'
import { adminKey, secretsKey, token } from '../settings/forms.ts'

/**
 * A secret kept in the data folder, readable by its owner only, made where there is none.
 * @throws EnvError that names the file when its text has not the form of the setting that it stands for
 */
async function keptSecret<T>(
  dataDir: string,
  name: string,
  form: z.ZodType<T, string>,
  make: () => string,
): Promise<T> {
  makePrivateFolder(dataDir)
  const file = join(dataDir, name)
  try {
    await writeFile(file, `${make()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    await chmod(file, 0o600)
  }
  const { data, error } = form.safeParse((await readFile(file, 'utf8')).trim())
  if (error) throw new EnvError([`${file} ${error.issues[0]?.message}`])
  return data
}

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

/** Whether the data folder has a key that encrypts stored secrets. */
export const hasSecretsKey = (dataDir: string): boolean => existsSync(join(dataDir, secretsKeyName))

/** The key that encrypts stored secrets: 32 bytes (contract: server 14). */
export const secretsKeyIn = (dataDir: string): Promise<Uint8Array> =>
  keptSecret(dataDir, secretsKeyName, secretsKey, () =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
  )
