import { parseArgs } from 'node:util'
import { z } from 'zod'
import { features, roles, workspaceRoles } from '../src/accounts/account.ts'
import { parsed, runningServer, runScript, serverHelp, serverOptions } from './running-server.ts'

const usage = `Usage: bun run user --name <name> --email <address> [options]

Makes a user on a running server, and a token for it. Needs an operator's token.

  --role            ${roles.join(', ')} (default: user)
  --workspace-id    the workspace to join (default: one of their own is made)
  --workspace-role  ${workspaceRoles.join(', ')}
  --reseller-id     the reseller of the new workspace
  --features        comma-separated: ${features.join(', ')} (default: all)
  --quota           how many assistants the user may own (default: unlimited)
  --unverified      leaves the e-mail address unverified
  --no-token        makes no token
${serverHelp}`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const Options = z.object({
  name: z.string('give --name'),
  email: z.string('give --email'),
  role: z.enum(roles).optional(),
  'workspace-id': z.coerce.number().int().optional(),
  'workspace-role': z.enum(workspaceRoles).optional(),
  'reseller-id': z.coerce.number().int().optional(),
  features: z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(features)))
    .optional(),
  quota: z.coerce.number().int().optional(),
  unverified: z.boolean().default(false),
  'no-token': z.boolean().default(false),
})

const read = () =>
  parseArgs({
    options: {
      ...serverOptions,
      name: text,
      email: text,
      role: text,
      'workspace-id': text,
      'workspace-role': text,
      'reseller-id': text,
      features: text,
      quota: text,
      unverified: flag,
      'no-token': flag,
    },
  }).values

async function makeUser(): Promise<void> {
  const given = read()
  const options = parsed(Options, given)
  const { api } = runningServer(given)
  const { data: user } = await api.admin.users.create.mutate({
    name: options.name,
    email: options.email,
    role: options.role,
    workspace_id: options['workspace-id'],
    workspace_role: options['workspace-role'],
    reseller_id: options['reseller-id'],
    features: options.features,
    assistant_quota: options.quota,
    email_verified: !options.unverified,
  })
  console.log(`user ${user.id}: ${user.name} <${user.email}>, ${user.role}, workspace ${user.workspace_id}`)
  if (options['no-token']) return
  const { data } = await api.admin.tokens.create.mutate({ id: user.id, name: 'First token' })
  console.log(`token ${data.token}`)
}

await runScript(usage, read, makeUser)
