import description from '../../../openapi.json'
import { isObject, type Json } from '../../../src/json/object.ts'
import { CommandError } from '../../error.ts'
import { type Api, eachOf } from '../api.ts'
import { filled, isNothing, type Remote } from '../document.ts'
import { at, type KindOf } from '../kind.ts'
import { refuseMasked } from '../secrets.ts'

const base = '/assistants'
const builder = '/v2/assistants'
const object = (value: unknown): Json => (isObject(value) ? value : {})

/** What the full editor takes: settings that only the platform or the builder manages are not written to files. */
const writable = new Set(Object.keys(description.components.schemas.AssistantsUpdateAdvancedBody.properties))

/** What the builder is told; absent for an assistant of the editors. */
function buildOf({ base_config_id, layer2_key, industry_template_id, request }: Json): Json | undefined {
  if (isNothing(base_config_id) && !isObject(request)) return undefined
  return filled({ base_config_id, layer2_key, industry_template_id, ...filled(object(request)) })
}

/** A configuration as the history shows it, in the names of the write body. */
function documentOf(configuration: Json): Json {
  const { variable_values: variableValues, ...metadata } = object(configuration.metadata)
  const config = Object.entries(object(configuration.config)).filter(([field]) => writable.has(field))
  return filled({
    name: configuration.name,
    type: configuration.type,
    template_id: configuration.template_id,
    personality_id: configuration.personality_id,
    build: buildOf(configuration),
    metadata: filled({ ...metadata, webhook_url: configuration.webhook_url }),
    variableValues,
    ...Object.fromEntries(config.sort(([one], [other]) => (one < other ? -1 : 1))),
    widget: configuration.widget_embed_config,
  })
}

async function configurationOf(api: Api, id: string): Promise<Json> {
  const entries = await api.list(`${at(base, id)}/update-log`)
  const current = entries.find((entry) => entry.is_current === true)
  if (!current) throw new CommandError(`The assistant ${id} has no history yet: save it once.`)
  const { data } = await api.read(`${at(base, id)}/update-log/${current.id}`)
  return object(data.configuration)
}

async function readAssistant(api: Api, id: string): Promise<Remote & { workspaceId: unknown }> {
  // The tag comes first: what changes between the two reads is noticed when it is written.
  const { data, etag } = await api.read(at(base, id))
  const document = documentOf(await configurationOf(api, id))
  const alsoKnownAs = [String(data.voice_assistant_id)]
  const workspaceId = data.workspace_id
  return { kind: 'assistants', id, alsoKnownAs, name: String(data.name), etag, document, workspaceId }
}

/** Fields that are merged key by key: keys that the document does not have any more are cleared. */
const cleared = (before: unknown, after: Json): Json => ({
  ...Object.fromEntries(Object.keys(object(before)).map((key) => [key, null])),
  ...after,
})

/** The body that makes one document of another, besides its parts that have endpoints of their own. */
function changesTo(before: Json, after: Json): Json {
  const body: Json = {}
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (field === 'build' || field === 'widget' || Bun.deepEquals(before[field], after[field])) continue
    const value = after[field]
    body[field] = isObject(value) ? cleared(before[field], value) : (value ?? null)
  }
  return body
}

/** The editor's part of a document first, then the widget's, each as long as nobody else has changed the assistant. */
async function edit(api: Api, remote: Remote, document: Json): Promise<void> {
  const body = changesTo(remote.document, document)
  const hasWidget = !Bun.deepEquals(remote.document.widget, document.widget)
  let { etag } = remote
  if (Object.keys(body).length > 0) {
    refuseMasked(body)
    await api.write('PUT', `${at(base, remote.id)}/advanced`, { ...body, name: document.name }, etag)
    if (hasWidget) ({ etag } = await api.read(at(base, remote.id)))
  }
  if (!hasWidget) return
  await api.write('PUT', `${at(base, remote.id)}/embed`, { embed_config: document.widget ?? {} }, etag)
}

/** A document as the builder takes it. */
function builderBody({ name, type, template_id, personality_id, metadata, variableValues, build }: Json): Json {
  const { webhook_url: server_url = null, ...shared } = object(metadata)
  return filled({
    ...object(build),
    name,
    type,
    prompt_template_id: template_id,
    personality_id,
    metadata: shared,
    variable_values: variableValues,
    server_url,
  })
}

/** Assistants, with how they were built and their widget. */
export const assistants: KindOf = {
  async read(api, { id: workspaceId }) {
    const listed = await api.list(`${base}?lite=true&sort_by=created_at`)
    const found = await eachOf(listed, ({ assistant_id: id }) => readAssistant(api, String(id)))
    return found.filter((one) => one.workspaceId === workspaceId)
  },

  readOne: readAssistant,

  withNames: (document) => document,
  withIds: (document) => document,

  async create(api, document) {
    const { build, widget: _later, ...body } = document
    const made = await (build ? api.write('POST', builder, builderBody(document)) : api.write('POST', base, body))
    const id = String(made.assistant_id)
    await edit(api, await readAssistant(api, id), document)
    return id
  },

  async update(api, remote, document) {
    const { build } = document
    if (Bun.deepEquals(build, remote.document.build)) {
      await edit(api, remote, document)
      return remote.id
    }
    if (!build) throw new CommandError('A built assistant stays one: delete it and make another, or keep "build".')
    const body = { ...cleared(remote.document.build, {}), ...builderBody(document) }
    await api.write('PUT', at(builder, remote.id), body, remote.etag)
    await edit(api, await readAssistant(api, remote.id), document)
    return remote.id
  },

  async remove(api, { id, etag }) {
    await api.write('DELETE', at(base, id), undefined, etag)
  },
}
