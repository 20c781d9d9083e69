import { createVault, type Vault } from '../../secrets/vault.ts'
import type { Env } from '../env.ts'
import { hasSecretsKey, secretsKeyIn } from './data-folder.ts'

/** The vault of an installation that has a key already; makes none. */
export async function existingVault(env: Pick<Env, 'secretsKeys' | 'dataDir'>): Promise<Vault | undefined> {
  const has = env.secretsKeys !== undefined || hasSecretsKey(env.dataDir)
  return has ? vaultFor(env) : undefined
}

/** The vault of SECRETS_KEY or, without it, of the key kept in the data folder (contract: server 14). */
export async function vaultFor(env: Pick<Env, 'secretsKeys' | 'dataDir'>): Promise<Vault> {
  const [current = await secretsKeyIn(env.dataDir), ...previous] = env.secretsKeys ?? []
  return createVault({ current, previous })
}
