import { CommandError } from '../error.ts'
import type { Api } from './api.ts'
import { keyOf, type Local } from './document.ts'
import type { Links } from './folder.ts'
import type { Change, Plan } from './plan.ts'
import { withSecrets } from './secrets.ts'
import { kindsOf, type Named, namesOf } from './workspace.ts'

interface Applying {
  api: Api
  plan: Plan
  locals: Local[]
  named: Named[]
  links: Links
  env: NodeJS.ProcessEnv
  /** Called after each change, with what the files stand for now. */
  done(change: Change, links: Links): void
}

const changedMeanwhile = 412

/**
 * Does what a plan says, in its order, and each change only as long as the resource is as the plan saw it.
 * Throws CommandError at the first that fails; what was done before it stays, and the next plan has the rest.
 */
export async function applyPlan({ api, plan, locals, named, links, env, done }: Applying): Promise<void> {
  const files = new Map(locals.map((local) => [keyOf(local), local]))
  const there = new Map(named.map((one) => [keyOf(one), one]))
  const names = namesOf(named)
  const ids = { ...links.ids, ...Object.fromEntries(named.map((one) => [keyOf(one), one.id])) }

  const run = async (change: Change): Promise<string | undefined> => {
    const kind = kindsOf[change.kind]
    const remote = there.get(keyOf(change))
    if (change.action === 'delete') {
      if (remote) await kind.remove?.(api, remote)
      return undefined
    }
    const wanted = files.get(keyOf(change))
    if (!wanted) throw new CommandError(`${keyOf(change)} has no file.`)
    const document = kind.withIds(withSecrets(wanted.document, remote?.document, env), names)
    if (!remote) return kind.create(api, document)
    return kind.update(api, { ...remote, document: kind.withIds(remote.document, names) }, document)
  }

  for (const change of plan.changes.filter(({ action }) => action !== 'keep')) {
    const key = keyOf(change)
    const id = await run(change).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error
      const why = error.status === changedMeanwhile ? 'somebody changed it since: plan again.' : error.message
      throw new CommandError(`${key}: ${why}`, error.exitCode, error.status)
    })
    if (id === undefined) delete ids[key]
    else {
      ids[key] = id
      names.made(change.kind, change.slug, id)
    }
    done(change, { ...links, ids: { ...ids } })
  }
}
