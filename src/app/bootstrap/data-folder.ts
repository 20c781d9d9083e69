import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '../../storage/private-folder.ts'

/** A secret kept in the data folder, readable by its owner only. */
async function keptSecret(
  dataDir: string,
  name: string,
  make: () => string,
): Promise<{ value: string; made: boolean }> {
  makePrivateFolder(dataDir)
  const file = join(dataDir, name)
  try {
    const value = make()
    await writeFile(file, `${value}\n`, { flag: 'wx', mode: 0o600 })
    return { value, made: true }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    await chmod(file, 0o600)
    return { value: (await readFile(file, 'utf8')).trim(), made: false }
  }
}

const adminKeyName = 'admin-api-key'
const platformKeyName = 'voice-platform-api-key'
const platformPublicKeyName = 'voice-platform-public-key'
const secretsKeyName = 'secrets-key'

/** What a server makes in its data folder to be kept with what it holds. */
export const keyFiles: readonly string[] = [adminKeyName, platformKeyName, platformPublicKeyName, secretsKeyName]

/** The first admin's token, made at the first start (contract: server 6). */
export const adminKeyIn = (dataDir: string, make: () => string) => keptSecret(dataDir, adminKeyName, make)

/** The embedded platform's keys. They never leave the process, except the public one for widgets. */
export async function platformKeysIn(dataDir: string): Promise<{ apiKey: string; publicKey: string }> {
  const make = (prefix: string) => () =>
    `${prefix}_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex')}`
  const apiKey = await keptSecret(dataDir, platformKeyName, make('sk'))
  const publicKey = await keptSecret(dataDir, platformPublicKeyName, make('pk'))
  return { apiKey: apiKey.value, publicKey: publicKey.value }
}

/** Whether the data folder has a key that encrypts stored secrets. */
export const hasSecretsKey = (dataDir: string): boolean => existsSync(join(dataDir, secretsKeyName))

/** The key that encrypts stored secrets: 32 bytes (contract: server 14). */
export async function secretsKeyIn(dataDir: string): Promise<Uint8Array> {
  const make = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  const { value } = await keptSecret(dataDir, secretsKeyName, make)
  return new Uint8Array(Buffer.from(value, 'base64'))
}
