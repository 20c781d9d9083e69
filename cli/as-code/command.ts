import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { connectionFrom } from '../connection.ts'
import { CommandError, usageError } from '../error.ts'
import { parsedArguments } from '../input.ts'
import { apiOf } from './api.ts'
import { applyPlan } from './apply.ts'
import { keyOf, type Local } from './document.ts'
import { readDrift } from './drift.ts'
import { type Links, readFolder, readLinks, writeFolder, writeLinks } from './folder.ts'
import { isEmpty, movedSince, Plan, planOf } from './plan.ts'
import { withReferences } from './secrets.ts'
import { planText } from './show.ts'
import { type Named, readWorkspace } from './workspace.ts'

export const asCodeNames = ['pull', 'plan', 'apply'] as const
type Name = (typeof asCodeNames)[number]
export const isAsCode = (name: string): name is Name => (asCodeNames as readonly string[]).includes(name)

const usage: Record<Name, string> = {
  pull: 'Usage: switchboard pull <folder>\n\nWrites a file for each assistant, squad, agent and number of the workspace.',
  plan: `Usage: switchboard plan <folder> [--delete] [--output <file>]

Says what apply would change; exits with 2 when that is anything.

  --delete  deletes what has no file in the folder; numbers are never released
  --output  keeps the plan, to be applied as it is`,
  apply: `Usage: switchboard apply <folder> [--delete] [--plan <file>]

Makes the workspace what the folder says.

  --delete  deletes what has no file in the folder; numbers are never released
  --plan    applies a kept plan, unless either side has changed since`,
}

const somethingToDo = 2

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

function read(name: Name, args: string[]) {
  const common = { url: text, key: text, profile: text, help: { type: 'boolean', short: 'h' } } as const
  const own = {
    pull: {},
    plan: { delete: flag, output: { type: 'string', short: 'o' } },
    apply: { delete: flag, plan: text },
  } as const
  const { values, positionals } = parsedArguments({
    args,
    options: { ...common, ...own[name] },
    allowPositionals: true,
  })
  const given = values as {
    url?: string
    key?: string
    profile?: string
    help?: boolean
    delete?: boolean
    output?: string
    plan?: string
  }
  return { given, positionals }
}

/** Where a command runs. */
interface Terminal {
  env: NodeJS.ProcessEnv
  print(text: string): void
}

/** What a folder and a server hold of each other. */
interface Both {
  folder: string
  locals: Local[]
  links: Links
  named: Named[]
}

/**
 * Files whose resource the server had when they were written, and has no more, are gone; others are somebody's work.
 */
function pull({ folder, locals, links, named }: Both): string {
  const files = named.map(({ kind, slug, document }) => ({
    kind,
    slug,
    document: withReferences(kind, slug, document),
  }))
  const kept = new Set(files.map(keyOf))
  const gone = locals.filter((local) => !kept.has(keyOf(local)) && links.ids[keyOf(local)] !== undefined)
  const ids = Object.fromEntries(named.map((one) => [keyOf(one), one.id]))
  writeFolder(folder, files, gone, { ...links, ids })
  const count = files.length === 1 ? '1 file' : `${files.length} files`
  return `${count} in ${folder}${gone.length > 0 ? `, ${gone.length} removed` : ''}.`
}

function savedPlan(file: string): Plan {
  try {
    return Plan.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new CommandError(`${file} is no plan: make one with "switchboard plan <folder> --output ${file}".`)
  }
}

/** Throws CommandError where a kept plan is not what would be done now. */
function refuseMoved(saved: Plan, now: Plan): void {
  if (saved.server !== now.server) throw new CommandError(`The plan was made for ${saved.server}.`)
  const moved = movedSince(saved, now)
  if (moved.length === 0) return
  const lines = moved.map((key) => `    ${key}`)
  throw new CommandError(
    ['The folder or the workspace has changed since the plan was made:', ...lines, 'Plan again.'].join('\n'),
  )
}

/**
 * Runs `pull`, `plan` or `apply` on a folder, telling `print` what happens. Returns the exit code. Throws CommandError.
 */
export async function runAsCode(name: Name, args: string[], { env, print }: Terminal): Promise<number> {
  const { given, positionals } = read(name, args)
  if (given.help) {
    print(usage[name])
    return 0
  }
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw usageError(usage[name])
  const connection = connectionFrom(given, env)
  const api = apiOf(connection)
  const locals = readFolder(folder)
  const links = readLinks(folder, connection.url)
  const named = await readWorkspace(api, locals, links)
  if (name === 'pull') {
    print(pull({ folder, locals, links, named }))
    return 0
  }
  const saved = given.plan === undefined ? undefined : savedPlan(given.plan)
  const remove = given.delete ?? saved?.changes.some(({ action }) => action === 'delete') ?? false
  const plan = planOf(connection.url, { locals, named, remove, env })
  if (name === 'plan') {
    print(planText(plan, await readDrift(api, named)))
    if (given.output !== undefined) {
      mkdirSync(dirname(resolve(given.output)), { recursive: true })
      writeFileSync(given.output, `${JSON.stringify(plan, undefined, 2)}\n`)
    }
    return isEmpty(plan) ? 0 : somethingToDo
  }
  if (saved) refuseMoved(saved, plan)
  if (isEmpty(plan)) print('Nothing to change.')
  await applyPlan({
    api,
    plan,
    locals,
    named,
    links,
    env,
    done(change, known) {
      print(`${change.action}d ${keyOf(change)}`)
      writeLinks(folder, known)
    },
  })
  return 0
}
