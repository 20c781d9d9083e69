import { isObject } from '../../src/json/object.ts'
import type { Api } from './api.ts'
import { type Kind, keyOf, kinds, type Local, type Remote, slugOf } from './document.ts'
import type { Links } from './folder.ts'
import type { KindOf, Names, Workspace } from './kind.ts'
import { agents } from './kinds/agents.ts'
import { assistants } from './kinds/assistants.ts'
import { numbers } from './kinds/numbers.ts'
import { squads } from './kinds/squads.ts'

export const kindsOf: Readonly<Record<Kind, KindOf>> = { assistants, squads, agents, numbers }

/** A resource of the server under the name of its file. */
export interface Named extends Remote {
  slug: string
}

/** The token's own workspace, also where it sees others; the kinds that its user may use. */
async function accessOf(api: Api): Promise<{ workspace: Workspace; usable: Kind[] }> {
  const { data } = await api.read('/user/access')
  const { id, uuid } = isObject(data.workspace) ? data.workspace : {}
  const features: unknown[] = Array.isArray(data.features) ? data.features : []
  const usable = kinds.filter((kind) => features.includes(featureOf[kind]))
  return { workspace: { id: Number(id), uuid: String(uuid) }, usable }
}

const featureOf: Record<Kind, string> = {
  assistants: 'assistants',
  squads: 'squads',
  agents: 'ai_chat',
  numbers: 'phone_numbers',
}

/**
 * Gives each resource the name of its file: the file that stands for it, else one of the same name that stands for
 * nothing here, else a new one made of its name.
 */
function nameAll(remotes: Remote[], locals: Local[], links: Links): Named[] {
  const here = new Set(remotes.map(({ kind, id }) => `${kind} ${id}`))
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  const give = ({ kind, id }: Remote, slug: string) => {
    slugs.set(`${kind} ${id}`, slug)
    taken.add(keyOf({ kind, slug }))
  }
  for (const [key, id] of Object.entries(links.ids)) {
    const [kind, slug] = key.split('/')
    const remote = remotes.find((one) => one.kind === kind && one.id === id)
    if (remote && slug) give(remote, slug)
  }
  const isFree = (local: Local) => {
    const id = links.ids[keyOf(local)]
    return !taken.has(keyOf(local)) && !(id !== undefined && here.has(`${local.kind} ${id}`))
  }
  for (const remote of remotes.filter(({ kind, id }) => !slugs.has(`${kind} ${id}`))) {
    const alike = locals.find((one) => one.kind === remote.kind && isFree(one) && nameIn(one) === remote.name)
    if (alike) give(remote, alike.slug)
  }
  for (const local of locals) taken.add(keyOf(local))
  for (const remote of remotes.filter(({ kind, id }) => !slugs.has(`${kind} ${id}`))) {
    const wanted = remote.kind === 'numbers' ? remote.name : slugOf(remote.name)
    let slug = wanted
    for (let number = 2; taken.has(keyOf({ kind: remote.kind, slug })); number++) slug = `${wanted}-${number}`
    give(remote, slug)
  }
  return remotes.map((remote) => ({ ...remote, slug: slugs.get(`${remote.kind} ${remote.id}`) ?? remote.id }))
}

/** The name that a file is known by: a number is its own. */
const nameIn = ({ kind, slug, document }: Local) => (kind === 'numbers' ? slug : document.name)

/** How resources are called on either side; `made` adds what was made since. */
export function namesOf(named: readonly Named[]): Names & { made(kind: Kind, slug: string, id: string): void } {
  const slugs = new Map<string, string>()
  const ids = new Map<string, string>()
  for (const { kind, slug, id, alsoKnownAs } of named) {
    ids.set(`${kind} ${slug}`, id)
    for (const known of [id, ...alsoKnownAs]) slugs.set(`${kind} ${known}`, slug)
  }
  return {
    slugOf: (kind, id) => slugs.get(`${kind} ${id}`) ?? id,
    idOf: (kind, slug) => ids.get(`${kind} ${slug}`) ?? slug,
    made: (kind, slug, id) => void ids.set(`${kind} ${slug}`, id),
  }
}

/** The workspace as the server has it, under the names of the folder's files and with names in place of ids. */
export async function readWorkspace(api: Api, locals: Local[], links: Links): Promise<Named[]> {
  const { workspace, usable } = await accessOf(api)
  const remotes: Remote[] = []
  for (const kind of usable) remotes.push(...(await kindsOf[kind].read(api, workspace)))
  const named = nameAll(remotes, locals, links)
  const names = namesOf(named)
  return named.map((one) => ({ ...one, document: kindsOf[one.kind].withNames(one.document, names) }))
}
