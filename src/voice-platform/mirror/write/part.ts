import { agreedOn, type Base, managedOf } from '../agreement/base.ts'
import { saysLittle } from '../agreement/intents.ts'
import type { Leaf } from '../agreement/leaves.ts'
import type { Entry } from '../journal/entry.ts'
import { liveDiffers } from '../live-differs.ts'
import type { LiveObject, RemoteKind } from '../remote-kind.ts'

/** What a live object is sent, and what both sides then agree on. */
export interface Part<Body extends object> {
  body: Body
  /** `response` is the platform's to it. */
  agreed(written: { liveId: string; composed: Body; sent: Body }, response: object): Base<Body>
}

/** What is read before a write: the live object, and the leaves of it that are to be written. */
export interface Read {
  live: LiveObject | undefined
  unwritten: readonly Leaf[]
}

/** The fields that a change names: those that differ, or the name where none does, so that each save is heard. */
function fieldsOf<Body extends object>(
  remote: RemoteKind<Body>,
  sent: Body,
  live: LiveObject,
  unwritten: readonly Leaf[],
): string[] {
  const differs = ([field, value]: [string, unknown]) =>
    unwritten.some(({ path }) => path[0] === field) || liveDiffers({ [field]: value }, live).length > 0
  const differing = Object.entries(sent)
    .filter(differs)
    .map(([field]) => field)
  const named = differing.length > 0 ? differing : ['name']
  return [...new Set([...named, ...(remote.agreement.always ?? [])])]
}

/**
 * The fields of a body at which the live object, as it was just read, is not what it is to be. The platform keeps what
 * a change leaves out, so that an edit of another field which arrives between the read and the write is not
 * overwritten, and the sweep finds it. After an unfinished write nothing is left out: what that made may still arrive.
 */
export function partOf<Body extends object>(
  entry: Entry,
  remote: RemoteKind<Body>,
  sent: Body,
  { live, unwritten }: Read,
): Part<Body> {
  const isEntire = remote.agreement.all
  const whole: Part<Body> = { body: sent, agreed: (written, response) => agreedOn(written, response, isEntire) }
  const isAfterAnother = entry.inherited || entry.intents.length > 0
  if (!live || isAfterAnother || saysLittle(sent, live)) return whole
  const fields = fieldsOf(remote, sent, live, unwritten)
  const all = Object.entries(sent)
  if (!fields.every((field) => all.some(([name]) => name === field))) return whole
  const unsent = (object: object) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !fields.includes(name)))
  const left = Object.fromEntries(all.filter(([name]) => !fields.includes(name)))
  return {
    body: Object.fromEntries(all.filter(([name]) => fields.includes(name))) as Body,
    // What was not sent is as it was read, whatever it has become since.
    agreed: (written, response) =>
      agreedOn(written, { ...response, ...unsent(live), ...managedOf(left, live) }, isEntire),
  }
}
