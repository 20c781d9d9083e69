import { parseArgs } from 'node:util'

export const usage = `Usage: bun run fuzz [--seed 1] [--count 10000] [--lanes 8] [--max-memory-mb 2000] [--url http://... --key vk_...]

Sends requests made from openapi.json, right and wrong, over REST, tRPC and raw sockets, and checks every response.
The same seed sends the same requests. It exits with 1 when something is found.

  --seed           which requests to send
  --count          how many
  --lanes          how many at once, each in a pair of tenants of its own
  --max-memory-mb  the most memory that the server may hold
  --max-ms         the most milliseconds that a response may take; more than 5000 on a machine that others use
  --url, --key     a server that runs already, without rate limits, and an operator's token; it gets users and objects
                   that stay (default: a server of its own, on an embedded database that is removed)
  --help           shows this text`

const whole = (name: string, text: string, min: number): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min) throw new Error(`--${name} must be a whole number from ${min}`)
  return value
}

/** Reads the command line. Throws an error that says what is wrong with it. */
export function readOptions(args?: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '10000' },
      lanes: { type: 'string', default: '8' },
      'max-memory-mb': { type: 'string', default: '2000' },
      'max-ms': { type: 'string', default: '5000' },
      url: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { url, key, help } = values
  if ((url === undefined) !== (key === undefined)) throw new Error('--url and --key belong together')
  return {
    help,
    seed: whole('seed', values.seed, 0),
    count: whole('count', values.count, 1),
    lanes: whole('lanes', values.lanes, 1),
    maxMemory: whole('max-memory-mb', values['max-memory-mb'], 1) * 1_000_000,
    maxMilliseconds: whole('max-ms', values['max-ms'], 1),
    server: url !== undefined && key !== undefined ? { url: url.replace(/\/+$/, ''), key } : undefined,
  }
}
