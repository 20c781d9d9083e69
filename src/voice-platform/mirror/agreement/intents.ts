import { isObject, type Json } from '../../../json/object.ts'
import type { Vault } from '../../../secrets/vault.ts'
import type { Base } from './base.ts'
import { type Defaults, outsideChanges } from './difference.ts'
import { isNothing, same, valueAt, withLeaves } from './leaves.ts'

/** What intents are sealed for; see `Vault.seal`. */
export const intentsContext = 'live_writes.intents'

/** A write as it is kept in the journal before it is sent, so that what it made is never taken for somebody else's. */
export interface Intent {
  sent: object
  /** The live object before, when it had been changed outside. */
  outside?: object
  /** The agreement that it had been changed since: it says nothing any more once another one stands. */
  revision?: string
}

/** An intent as the journal keeps it, sealed. */
export const sealIntent = (vault: Vault, intent: Intent): string => vault.seal(JSON.stringify(intent), intentsContext)

/** The intents of a journal row. Throws SealedSecretError when no key opens one. */
export function openIntents(vault: Vault, sealed: readonly string[]): Intent[] {
  return sealed.map((text) => {
    const { sent, outside, revision }: Json = JSON.parse(vault.open(text, intentsContext))
    return {
      sent: isObject(sent) ? sent : {},
      ...(isObject(outside) && { outside }),
      ...(typeof revision === 'string' && { revision }),
    }
  })
}

/**
 * A live object without what unfinished writes of ours made of it: there it is as the last of them found it that found
 * outside changes since both sides agreed on `base`, and otherwise as was agreed. What a write sent because it was
 * there already is nobody's but theirs.
 */
export function withoutAttempts(
  { base, revision }: { base: Base; revision: string | undefined },
  live: object,
  intents: readonly Intent[],
  defaults: Defaults | undefined,
): object {
  if (intents.length === 0) return live
  const seen = intents.flatMap((intent) => (intent.outside && intent.revision === revision ? [intent.outside] : []))
  const before = seen.at(-1) ?? base.seen ?? base.sent
  const paths = [live, ...seen].flatMap((side) => outsideChanges(base, side, defaults)).map(({ path }) => path)
  const ours = paths.flatMap((path) => {
    const isOurs = intents.some(({ sent }) => same(valueAt(sent, path), valueAt(live, path)))
    return isOurs ? [{ path, to: valueAt(before, path) }] : []
  })
  return withLeaves(live, ours)
}

/** Whether an object says so little of what it was sent that nothing can be read from its silence. */
export function saysLittle(sent: object, live: object): boolean {
  const values = Object.entries(sent).filter(([, value]) => !isNothing(value))
  const fields = new Map(Object.entries(live))
  return values.filter(([field]) => fields.get(field) === undefined).length * 2 > values.length
}
