import { isObject, type Json } from '../../../src/json/object.ts'
import { CommandError } from '../../error.ts'
import { type Api, eachOf } from '../api.ts'
import { filled, type Remote } from '../document.ts'
import { at, type KindOf } from '../kind.ts'

const base = '/squads'
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Members with what `translate` makes of each assistant's id, under another field. */
function members(document: Json, from: string, to: string, translate: (id: string) => string): Json {
  const renamed = ({ [from]: id, ...rest }: Json) => ({ ...(id ? { [to]: translate(String(id)) } : {}), ...rest })
  const moved = list(document.members).map((member) => {
    const { assistantDestinations: destinations, ...rest } = renamed(member)
    return { ...rest, ...(destinations ? { assistantDestinations: list(destinations).map(renamed) } : {}) }
  })
  return { ...document, members: moved }
}

async function readSquad(api: Api, id: string): Promise<Remote & { workspaceId: unknown }> {
  const { data, etag } = await api.read(at(base, id))
  const document = {
    name: data.name,
    status: data.status,
    members: list(data.members).map(filled),
    ...filled({
      membersOverrides: data.members_overrides,
      variableValues: data.variable_values,
      metadata: data.metadata,
    }),
  }
  const workspaceId = data.workspace_id
  return { kind: 'squads', id, alsoKnownAs: [], name: String(data.name), etag, document, workspaceId }
}

const bodyOf = ({ status: _state, ...document }: Json): Json => ({
  membersOverrides: null,
  variableValues: null,
  metadata: null,
  ...document,
})

async function draft(api: Api, document: Json): Promise<string> {
  const made = await api.write('POST', base, bodyOf(document))
  return String(made.external_squad_id)
}

async function publish(api: Api, id: string, document: Json, etag?: string): Promise<string> {
  const published = await api.write('PUT', at(base, id), bodyOf(document), etag)
  return String(published.external_squad_id)
}

/** Squads, drafts and published ones; members name assistants by their files. */
export const squads: KindOf = {
  async read(api, { id: workspaceId }) {
    const listed = await api.list(base)
    const mine = listed.filter((one) => one.workspace_id === workspaceId).toReversed()
    return eachOf(mine, ({ external_squad_id: id }) => readSquad(api, String(id)))
  },

  readOne: readSquad,

  withNames: (document, names) => members(document, 'assistantId', 'assistant', (id) => names.slugOf('assistants', id)),
  withIds: (document, names) => members(document, 'assistant', 'assistantId', (slug) => names.idOf('assistants', slug)),

  async create(api, document) {
    const id = await draft(api, document)
    return document.status === 'draft' ? id : publish(api, id, document)
  },

  async update(api, { id, etag, document: before }, document) {
    if (document.status !== 'draft') return publish(api, id, document, etag)
    if (before.status !== 'draft')
      throw new CommandError('A published squad is no draft again: delete it, or publish it.')
    // A draft is never changed in place: the new one stands before the old one goes.
    const made = await draft(api, document)
    await api.write('DELETE', at(base, id), undefined, etag)
    return made
  },

  async remove(api, { id, etag }) {
    await api.write('DELETE', at(base, id), undefined, etag)
  },
}
