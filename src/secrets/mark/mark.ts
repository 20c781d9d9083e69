import { asc, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { type SecretColumn, sealedValue } from '../rotate.ts'
import { SealedSecretError, type Vault } from '../vault.ts'
import { installation } from './table.ts'
import { WrongSecretsKeyError } from './wrong-key.ts'

const name = 'secrets-key'
const said = 'switchboard'

/** The mark is a secret like others, so that a rotation seals it anew, too. */
export const markContext = 'installation.value'

/** A database from before there were marks: one secret of each kind stands for it. */
async function opensWhatIsThere(db: Database, vault: Vault, columns: readonly SecretColumn[]): Promise<void> {
  for (const stored of columns) {
    const { table, id, column } = stored
    const [row] = await db.select({ value: column }).from(table).where(isNotNull(column)).orderBy(asc(id)).limit(1)
    sealedValue(vault, row?.value, stored)
  }
}

const find = (db: Database) =>
  db.select({ value: installation.value }).from(installation).where(eq(installation.name, name))

/** The vault of who has no key: nothing is opened. */
const keyless: Vault = {
  seal: (plain) => plain,
  isCurrent: () => false,
  open() {
    throw new SealedSecretError('There is no key')
  },
}

/** Whether a database was sealed with a key, which nothing but that key opens. */
export async function isSealedDatabase(db: Database, columns: readonly SecretColumn[]): Promise<boolean> {
  if ((await find(db)).length > 0) return true
  try {
    await opensWhatIsThere(db, keyless, columns)
    return false
  } catch (error) {
    if (error instanceof SealedSecretError) return true
    throw error
  }
}

/**
 * Makes sure that the vault opens what the database holds. A text sealed with the key is kept as its mark: nothing of
 * the key can be learnt from it. The first start makes the mark.
 * @param columns where secrets are stored
 * @throws WrongSecretsKeyError
 */
export async function requireSameKey(db: Database, vault: Vault, columns: readonly SecretColumn[]): Promise<void> {
  try {
    let [mark] = await find(db)
    if (!mark) {
      await opensWhatIsThere(db, vault, columns)
      await db
        .insert(installation)
        .values({ name, value: vault.seal(said, markContext) })
        .onConflictDoNothing()
      ;[mark] = await find(db)
    }
    if (mark) vault.open(mark.value, markContext)
  } catch (error) {
    if (error instanceof SealedSecretError) throw new WrongSecretsKeyError()
    throw error
  }
}
