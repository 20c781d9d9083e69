import { parseArgs } from 'node:util'
import { z } from 'zod'
import { CommandError } from '../cli/error.ts'
import { tokenScopes } from '../src/accounts/account.ts'
import { type Api, parsed, runningServer, runScript, serverHelp, serverOptions } from './running-server.ts'

const usage = `Usage: bun run token [--user <id or e-mail address>] [--name <name>] [--expires-at <time>]
                     [--scopes <scope>,<scope>]
       bun run token [--user <id or e-mail address>] --list
       bun run token [--user <id or e-mail address>] --revoke <token id>

Makes, lists or revokes tokens on a running server: your own, or with an operator's token those of any user.

  --user        whose (default: those of the token that is sent)
  --name        what to call the new one
  --expires-at  when it ends, such as 2030-01-31T00:00:00Z (default: with the token that is sent)
  --scopes      what it may do, such as read,assistants:write (default: what the token that is sent may)
  --list        lists the tokens that are not revoked
  --revoke      revokes one, at once
${serverHelp}`

const text = { type: 'string' } as const

const Options = z.object({
  user: z.string().optional(),
  name: z.string().default('API token'),
  'expires-at': z.string().optional(),
  scopes: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(tokenScopes)))
    .optional(),
  list: z.boolean().default(false),
  revoke: z.coerce.number('must be the id of a token').int().optional(),
})

const read = () =>
  parseArgs({
    options: {
      ...serverOptions,
      user: text,
      name: text,
      'expires-at': text,
      scopes: text,
      list: { type: 'boolean' },
      revoke: text,
    },
  }).values

/** A user's id; an address is looked up. */
async function userId(api: Api, user: string | undefined): Promise<number | undefined> {
  if (user === undefined) return undefined
  if (/^\d+$/.test(user)) return Number(user)
  const { data } = await api.admin.users.list.query({ search: user })
  const found = data.find(({ email }) => email.toLowerCase() === user.toLowerCase())
  if (!found) throw new CommandError(`There is no user with the address ${user}.`)
  return found.id
}

async function run(): Promise<void> {
  const given = read()
  const options = parsed(Options, given)
  const { api } = runningServer(given)
  const id = await userId(api, options.user)
  if (options.list) return list(api, id)
  if (options.revoke !== undefined) {
    const { revoke } = options
    if (id === undefined) await api.tokens.delete.mutate({ id: revoke })
    else await api.admin.tokens.delete.mutate({ id, token_id: revoke })
    console.log(`token ${revoke} is revoked`)
    return
  }
  const fresh = { name: options.name, expires_at: options['expires-at'], scopes: options.scopes }
  const { data } =
    id === undefined ? await api.tokens.create.mutate(fresh) : await api.admin.tokens.create.mutate({ id, ...fresh })
  console.log(`token ${data.token}\nid ${data.id}, ends ${data.expires_at ?? 'never'}\nscopes ${scopesOf(data)}`)
}

const scopesOf = ({ scopes }: { scopes: readonly string[] | null }) => scopes?.join(',') ?? 'all'

async function list(api: Api, id: number | undefined): Promise<void> {
  const page = { per_page: 100 }
  const { data } =
    id === undefined ? await api.tokens.list.query(page) : await api.admin.tokens.list.query({ id, ...page })
  for (const token of data) {
    const used = token.last_used_at ?? 'never'
    const ends = token.expires_at ?? 'never'
    console.log(
      `${token.id}  ${token.prefix}...  ${token.name}  last used ${used}  ends ${ends}  scopes ${scopesOf(token)}`,
    )
  }
}

await runScript(usage, read, run)
