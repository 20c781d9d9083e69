import { isObject, type Json } from '../../../src/json/object.ts'
import { CommandError } from '../../error.ts'
import { type Api, eachOf } from '../api.ts'
import { filled, type Remote } from '../document.ts'
import { at, type KindOf } from '../kind.ts'

const base = '/phone-numbers'
/** Where calls go: our name of each target, and the field of the body. */
const targets = [
  ['assistant', 'voice_assistant_id', 'assistants'],
  ['squad', 'voice_squad_id', 'squads'],
] as const
const blocks = ['fallback_destination', 'server'] as const

async function readNumber(api: Api, number: string): Promise<Remote> {
  const { data, etag } = await api.read(at(base, number))
  const { staticIpAddressesEnabled: _mirrored, ...server } = isObject(data.server) ? data.server : {}
  const document = filled({
    name: data.name,
    assistant: data.voice_assistant_id,
    squad: data.voice_squad_id,
    workflow: data.voice_workflow_id,
    sms_enabled: data.sms_enabled === true ? true : undefined,
    static_ip_enabled: data.static_ip_enabled === true ? true : undefined,
    fallback_destination: data.fallback_destination,
    server,
    hooks: data.hooks,
  })
  return { kind: 'numbers', id: number, alsoKnownAs: [], name: number, etag, document }
}

/** A block that is merged field by field: what the document does not have any more is cleared. */
function blockBody(before: unknown, after: unknown): Json | null {
  if (!isObject(after)) return null
  const gone = isObject(before) ? Object.keys(before).filter((key) => !(key in after)) : []
  return { ...after, ...Object.fromEntries(gone.map((key) => [key, null])) }
}

/** Where the workspace's numbers lead. Numbers are bought and released elsewhere: they cost money. */
export const numbers: KindOf = {
  async read(api, { uuid }) {
    const listed = await api.list(base)
    const mine = listed.filter((one) => one.workspace_id === uuid)
    return eachOf(mine, ({ phone_number: number }) => readNumber(api, String(number)))
  },

  readOne: readNumber,

  withNames(document, names) {
    const named = { ...document }
    for (const [name, , kind] of targets) if (named[name]) named[name] = names.slugOf(kind, String(named[name]))
    return named
  },

  withIds(document, names) {
    const given = { ...document }
    for (const [name, , kind] of targets) if (given[name]) given[name] = names.idOf(kind, String(given[name]))
    return given
  },

  async create() {
    throw new CommandError('A number is bought first, with "switchboard phone-numbers buy" or in the console.')
  },

  async update(api, { id, etag, document: before }, document) {
    const leadsTo = targets.flatMap(([name, field]) => (document[name] ? [[field, document[name]]] : []))
    if (document.workflow) leadsTo.push(['voice_workflow_id', document.workflow])
    const none = { voice_assistant_id: null, voice_squad_id: null, voice_workflow_id: null }
    const body = {
      name: document.name ?? null,
      ...(leadsTo.length > 0 ? Object.fromEntries(leadsTo) : none),
      sms_enabled: document.sms_enabled ?? false,
      static_ip_enabled: document.static_ip_enabled ?? false,
      hooks: document.hooks ?? [],
      ...Object.fromEntries(blocks.map((block) => [block, blockBody(before[block], document[block])])),
    }
    await api.write('PUT', at(base, id), body, etag)
    return id
  },
}
