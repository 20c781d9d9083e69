import { parseArgs } from 'node:util'
import { z } from 'zod'
import { vaultFor } from '../src/app/bootstrap/vault.ts'
import { openDatabase } from '../src/db/client.ts'
import { migrate } from '../src/db/migrate.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { sealStored } from '../src/secrets/sealed-json.ts'
import { createEmbeddedPlatform } from '../src/voice-platform/embedded/platform.ts'
import { servePlatform } from '../src/voice-platform/embedded/serve.ts'
import { createMemoryStore } from '../src/voice-platform/embedded/store/memory-store.ts'
import { createDatabaseStore, type PlatformStore } from '../src/voice-platform/embedded/store/store.ts'

const usage = `Usage: bun run platform [--port 4000] [--host 127.0.0.1] [--api-key <key>] [--data-dir <folder>]

Serves the embedded voice platform alone over HTTP, for development and tests.

  --port      port to listen on, 0 for a free one (default 4000)
  --host      address to listen on (default 127.0.0.1)
  --api-key   the key that callers must send (default: a random one, printed)
  --data-dir  folder of an embedded database that keeps the state (default: in memory, gone with the process)
  --help      shows this text`

const Options = z.object({
  port: z.coerce.number('must be a number').int().min(0).max(65_535).default(4000),
  host: z.string().min(1).default('127.0.0.1'),
  'api-key': z
    .string()
    .min(1)
    .default(() => crypto.randomUUID()),
  'data-dir': z.string().min(1).optional(),
  help: z.boolean().default(false),
})

function readOptions() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { port: text, host: text, 'api-key': text, 'data-dir': text, help: { type: 'boolean', short: 'h' } },
  })
  return Options.parse(values)
}

async function openStore(dataDir: string | undefined): Promise<{ store: PlatformStore; close(): Promise<void> }> {
  if (dataDir === undefined) return { store: createMemoryStore(), close: async () => {} }
  const database = await openDatabase({ dataDir })
  await migrate(database)
  sealStored(database, await vaultFor({ secretsKeys: undefined, dataDir }, database.db))
  return { store: createDatabaseStore(database.db), close: () => database.close() }
}

async function serve({ port, host, 'api-key': apiKey, 'data-dir': dataDir }: z.infer<typeof Options>): Promise<void> {
  const { store, close } = await openStore(dataDir)
  const newId = () => crypto.randomUUID()
  const platform = createEmbeddedPlatform({ store, clock: systemClock, newId, apiKey })
  const served = servePlatform(platform, { hostname: host, port })
  console.log(`The embedded voice platform is ready (simulated; its state is ${dataDir ? `in ${dataDir}` : 'in memory'}).
  URL  ${served.url}
  key  ${apiKey}
  try  curl -H 'Authorization: Bearer ${apiKey}' ${served.url}/assistant`)
  const stop = async () => {
    await served.stop()
    await close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
}

try {
  const options = readOptions()
  if (options.help) console.log(usage)
  else await serve(options)
} catch (error) {
  console.error(
    error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : 'Failed',
  )
  process.exitCode = 1
}
