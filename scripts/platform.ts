import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../src/clock.ts'
import { createMemoryStore } from '../src/voice-platform/embedded/memory-store.ts'
import { createEmbeddedPlatform } from '../src/voice-platform/embedded/platform.ts'
import { servePlatform } from '../src/voice-platform/embedded/serve.ts'

const usage = `Serves the embedded voice platform alone over HTTP, for development and tests.
Its state is in memory and ends with the process.

Usage: bun run platform [--port 4000] [--host 127.0.0.1] [--api-key <key>]

  --port     port to listen on, 0 for a free one (default 4000)
  --host     address to listen on (default 127.0.0.1)
  --api-key  the key that callers must send (default: a random one, printed)
  --help     this text`

const Options = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(4000),
  host: z.string().min(1).default('127.0.0.1'),
  'api-key': z
    .string()
    .min(1)
    .default(() => crypto.randomUUID()),
  help: z.boolean().default(false),
})

function readOptions() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { port: text, host: text, 'api-key': text, help: { type: 'boolean' } } })
  return Options.parse(values)
}

function main() {
  const { port, host, 'api-key': apiKey, help } = readOptions()
  if (help) return console.log(usage)
  const newId = () => crypto.randomUUID()
  const platform = createEmbeddedPlatform({ store: createMemoryStore(), clock: systemClock, newId, apiKey })
  const served = servePlatform(platform, { hostname: host, port })
  console.log(`The embedded voice platform is ready (in memory, simulated).
  URL  ${served.url}
  key  ${apiKey}
  try  curl -H 'Authorization: Bearer ${apiKey}' ${served.url}/assistant`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void served.stop())
}

try {
  main()
} catch (error) {
  const reason =
    error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : 'unknown'
  console.error(`${reason}\n\n${usage}`)
  process.exitCode = 1
}
