import { isObject, type Json, ownValue } from '../../json/object.ts'

/** What selects an engine, by the keys that lead to it; lists on the way count for nothing. */
type Selections = true | { readonly [key: string]: Selections }

const engine = { provider: true, model: true } as const
const part = { ...engine, fallbackPlan: { voices: engine, transcribers: engine } } as const
const assistant = { model: { ...part, url: true, fallbackModels: true }, voice: part, transcriber: part } as const
const overridden = { assistant, assistantOverrides: assistant } as const
const live: Selections = { ...assistant, ...overridden, membersOverrides: assistant, members: overridden }

function without(value: unknown, selections: Selections | undefined): unknown {
  if (selections === undefined) return value
  if (selections === true) return undefined
  if (Array.isArray(value)) return value.map((item) => without(item, selections) ?? (isObject(item) ? {} : item))
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const kept = entries.flatMap(([key, item]) => {
    const shown = without(item, ownValue(selections, key) as Selections | undefined)
    return shown === undefined ? [] : [[key, shown] as const]
  })
  return kept.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(kept)
}

/**
 * An assistant's configuration without which engines it selects: that is platform-managed and not shown (contract:
 * mirror 5). A part that said nothing else is left out.
 */
export const withoutSelections = (config: object): Json => ({ ...(without(config, assistant) as Json | undefined) })

/**
 * A value at a dotted path of a live object, which is an assistant, a squad or a number, without which engines are
 * selected: undefined when it said nothing else.
 */
export function withoutSelectionsAt(path: string, value: unknown): unknown {
  let selections: Selections | undefined = live
  for (const key of path.split('.')) {
    if (/^\d+$/.test(key)) continue
    if (selections === undefined || selections === true) break
    selections = ownValue(selections, key) as Selections | undefined
  }
  return without(value, selections)
}
