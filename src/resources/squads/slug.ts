import { randomBytes } from 'node:crypto'

const maxSlugLength = 60

/** The name in lower-case ASCII words with hyphens; empty when it has none. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replace(/^-+|-+$/g, '')

/** A new draft's id, `draft_<slug>`: its name, and eight digits by which no other draft ever has it. */
export const newDraftId = (name: string): string =>
  `draft_${[slugOf(name), randomBytes(4).toString('hex')].filter((part) => part !== '').join('-')}`
