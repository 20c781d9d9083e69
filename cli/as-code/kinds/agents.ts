import type { Json } from '../../../src/json/object.ts'
import { type Api, eachOf } from '../api.ts'
import { filled, type Remote } from '../document.ts'
import { at, type KindOf } from '../kind.ts'

const base = '/agents'
const fields = ['name', 'description', 'instructions'] as const
const notMine = [403]

const limitsOf = (budget: unknown): Json => {
  const { window, tokens, usd } = (budget ?? {}) as Json
  return filled({ window, tokens, usd })
}

async function readOwn(api: Api, id: string): Promise<Remote | undefined> {
  // Only the owner of an agent sees its budget: what others share is theirs to keep.
  const budget = await api.readUnless(`${at(base, id)}/budget`, notMine)
  if (!budget) return undefined
  const { data, etag } = await api.read(at(base, id))
  const own = Object.fromEntries(fields.map((field) => [field, data[field]]))
  const document = filled({ ...own, budget: limitsOf(budget.data) })
  return { kind: 'agents', id, alsoKnownAs: [], name: String(data.name), etag, document }
}

/** A budget without limits is none. */
const budgetBody = (given: unknown): Json => {
  const { window = 'month', tokens = null, usd = null } = (given ?? {}) as Json
  return { window, tokens, usd }
}

const same = (document: Json): Json => document

/**
 * Agents of the token's user: what they are told and what they may use. Files, connectors and shares stay as they are.
 */
export const agents: KindOf = {
  async read(api) {
    const listed = await api.list(base)
    const found = await eachOf(listed.toReversed(), ({ id }) => readOwn(api, String(id)))
    return found.filter((one) => one !== undefined)
  },

  async readOne(api, id) {
    const found = await readOwn(api, id)
    if (!found) throw new Error('The agent is somebody else’s')
    return found
  },

  withNames: same,
  withIds: same,

  async create(api, { budget, ...body }) {
    const { id } = await api.write('POST', base, body)
    if (budget) await api.write('PUT', `${at(base, String(id))}/budget`, budgetBody(budget))
    return String(id)
  },

  async update(api, { id, etag, document: before }, { budget, ...body }) {
    const cleared = Object.fromEntries(fields.map((field) => [field, body[field] ?? null]))
    await api.write('PATCH', at(base, id), cleared, etag)
    if (!Bun.deepEquals(budget, before.budget)) await api.write('PUT', `${at(base, id)}/budget`, budgetBody(budget))
    return id
  },

  async remove(api, { id, etag }) {
    await api.write('DELETE', at(base, id), undefined, etag)
  },
}
