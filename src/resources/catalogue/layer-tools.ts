import type { Transaction } from '../../db/client.ts'
import { isObject } from '../../json/object.ts'
import { valueAt } from '../../voice-platform/mirror/agreement/leaves.ts'
import { canonicalId, type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { lockReferences } from '../references/lock.ts'
import { pickingKey } from '../tools/attach.ts'

/** The fields of entries that assistants are made from. */
const layers = ['config', 'overrides', 'voice']

/** What a layer picks in `model.tools`, where an id stands by itself or under a name of the pick list. */
function picksIn(layer: string, body: object): Reference[] {
  const tools = valueAt(body, [layer, 'model', 'tools'])
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool: unknown, index) => {
    const [holder, key] = isObject(tool) ? [tool, pickingKey(tool)] : [tools, index]
    const id = key !== undefined && Reflect.get(holder, key)
    if (typeof id !== 'string') return []
    const replace = (next: string) => Reflect.set(holder, key ?? index, next)
    return [{ kind: 'tool' as const, id: canonicalId(id), path: `${layer}.model.tools.${index}`, replace }]
  })
}

/**
 * A layer with the tools that it names locked while it is saved, their ids in the form in which they are compared. It
 * reaches every workspace, so each of them is everybody's (contract: catalogue 16). Throws 422 on the path of another.
 */
export async function lockLayer<Body extends object>(tx: Transaction, body: Body): Promise<Body> {
  const kept = structuredClone(body)
  const named = [...referencesIn(kept), ...layers.flatMap((layer) => picksIn(layer, kept))]
  const tools = named.filter(({ kind }) => kind === 'tool')
  for (const { id, replace } of tools) replace(id)
  await lockReferences(tx, 'catalogue', tools, {})
  return kept
}
