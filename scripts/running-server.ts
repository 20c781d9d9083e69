import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client'
import { z } from 'zod'
import { connectionFrom } from '../cli/connection.ts'
import { CommandError } from '../cli/error.ts'
import type { AppRouter } from '../src/router.ts'

/** The options of every script that talks to a running server, with their help. */
export const serverOptions = {
  url: { type: 'string' },
  key: { type: 'string' },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export const serverHelp = `  --url      the server (default: SWITCHBOARD_URL, or http://127.0.0.1:3000)
  --key      the token to send (default: SWITCHBOARD_KEY, a profile, or the local server's DATA_DIR/admin-api-key)
  --profile  a server and token kept by "switchboard login" (default: SWITCHBOARD_PROFILE, or "default")
  --help     shows this text`

/** The typed client of a running server, and its address for the little that is no procedure. */
export function runningServer(options: { url?: string; key?: string; profile?: string }) {
  const { url, key } = connectionFrom(options, process.env)
  return { url, key, api: clientOf(url, key) }
}

export type Api = ReturnType<typeof clientOf>

/** The typed client for one token. */
export const clientOf = (url: string, key: string) =>
  createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${url}/trpc`, headers: { authorization: `Bearer ${key}` } })],
  })

/** A script's options by their schema; what is wrong is named by its option. */
export function parsed<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`)
  throw new CommandError(`${problems.join('\n')}\nSee --help.`)
}

const Refusal = z.object({ message: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() })

/** What went wrong, in a line or a few. */
function reason(error: unknown): string {
  if (error instanceof TRPCClientError) {
    const refusal = Refusal.safeParse(error.data?.body)
    if (!refusal.success) return `The server did not answer as expected: ${error.message}`
    const { message, errors = {} } = refusal.data
    return [message, ...Object.entries(errors).map(([field, texts]) => `  ${field}: ${texts.join(' ')}`)].join('\n')
  }
  return error instanceof Error ? error.message : String(error)
}

/** Runs a script: its help or its work; what goes wrong is said in words, and the exit code is 1. */
export async function runScript(usage: string, parse: () => { help?: boolean }, work: () => Promise<void>) {
  try {
    if (parse().help) console.log(usage)
    else await work()
  } catch (error) {
    console.error(reason(error))
    process.exitCode = 1
  }
}
