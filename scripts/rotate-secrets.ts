import { parseArgs } from 'node:util'
import { vaultFor } from '../src/app/bootstrap/vault.ts'
import { readEnv } from '../src/app/env.ts'
import { openInstallation } from '../src/app/open-installation.ts'
import { refusalOf } from '../src/app/refusals.ts'
import { secretColumns } from '../src/app/sealed-columns.ts'
import { migrate } from '../src/db/migrate.ts'
import { reasonOf } from '../src/runtime/log.ts'
import { createProgress } from '../src/runtime/progress.ts'
import { rotateSecrets } from '../src/secrets/rotate.ts'

const USAGE = `Usage: bun run rotate-secrets

Seals every stored secret with the first key of SECRETS_KEY. To change the key of a server:

  1. put the new key first and keep the old one:  SECRETS_KEY=<new>,<old>  (openssl rand -base64 32 makes one),
     and start every instance with it
  2. run this with the same SECRETS_KEY and DATABASE_URL; on the embedded database, stop the server before
  3. drop the old key: SECRETS_KEY=<new>

A key that the server made itself is in DATA_DIR/secrets-key: it is the old key of step 1, and step 3 writes the new one
there instead. It can be run again at any time.

  --help  shows this text`

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else await run()
} catch (error) {
  console.error(refusalOf(error) ?? reasonOf(error))
  process.exitCode = 1
}

async function run(): Promise<void> {
  const env = readEnv()
  const handle = await openInstallation(env)
  try {
    await migrate(handle)
    const progress = createProgress((line) => console.error(line), Date.now)
    const { resealed } = await rotateSecrets(handle.db, await vaultFor(env, handle.db), secretColumns, progress)
    console.log(`The secrets of ${resealed} rows were sealed anew: all that are stored have the current key.`)
  } finally {
    await handle.close()
  }
}
