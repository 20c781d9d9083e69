import { isObject, type Json } from '../json/object.ts'

/** Between a reference and what tells one create of it from all others; no reference has it. */
const separator = '/'

/** The reference that our creates stamp into an object's metadata; a squad has that in what it overrides. */
function externalRefOf(stored: object): unknown {
  const metadata = [stored, 'membersOverrides' in stored ? stored.membersOverrides : null]
    .map((holder) => (isObject(holder) ? holder.metadata : null))
    .find(isObject)
  return metadata?.external_ref
}

/** Whether an object has this reference, by itself or with the mark of a create. */
export function hasExternalRef(stored: object, ref: string): boolean {
  const found = externalRefOf(stored)
  return found === ref || (typeof found === 'string' && found.startsWith(`${ref}${separator}`))
}

/** Whether an object has its reference with the mark of a create, which it loses when it is recorded. */
export function isMarked(stored: object): boolean {
  const found = externalRefOf(stored)
  return typeof found === 'string' && found.includes(separator)
}

/** Metadata whose reference has the mark of a create. */
export const markedMetadata = (metadata: unknown, creation: string): Json => {
  const fields = isObject(metadata) ? metadata : {}
  return { ...fields, external_ref: `${fields.external_ref}${separator}${creation}` }
}
