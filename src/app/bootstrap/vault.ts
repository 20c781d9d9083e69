import type { Database } from '../../db/client.ts'
import { isSealedDatabase } from '../../secrets/mark/mark.ts'
import { WrongSecretsKeyError } from '../../secrets/mark/wrong-key.ts'
import { createVault, type Vault } from '../../secrets/vault.ts'
import type { Env } from '../env.ts'
import { secretColumns } from '../sealed-columns.ts'
import { hasSecretsKey, secretsKeyFile, secretsKeyIn } from './data-folder.ts'

type Keys = Pick<Env, 'secretsKeys' | 'dataDir'>

const hasKey = ({ secretsKeys, dataDir }: Keys) => secretsKeys !== undefined || hasSecretsKey(dataDir)

async function vaultIn({ secretsKeys = [], dataDir }: Keys): Promise<Vault> {
  const [current = await secretsKeyIn(dataDir), ...previous] = secretsKeys
  return createVault({ current, previous })
}

/** The vault of an installation that has a key already; makes none. */
export const existingVault = async (env: Keys): Promise<Vault | undefined> => (hasKey(env) ? vaultIn(env) : undefined)

/**
 * The vault of SECRETS_KEY or, without it, of the key kept in the data folder, where the first start on a database
 * makes it (contract: server 14).
 * @throws WrongSecretsKeyError where the database was sealed with a key, and none is there
 */
export async function vaultFor(env: Keys, db: Database): Promise<Vault> {
  if (!hasKey(env) && (await isSealedDatabase(db, secretColumns))) {
    throw new WrongSecretsKeyError({ missing: secretsKeyFile(env.dataDir) })
  }
  return vaultIn(env)
}
