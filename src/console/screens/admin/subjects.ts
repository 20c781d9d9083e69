import { kinds as liveKinds } from '../drift/kinds.ts'
import { kinds as catalogueKinds } from './kinds.ts'

/** The kind of a catalogue's entries is the last part of their path: `promptTemplates` are `prompt-templates`. */
const pathOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const named = (kinds: Record<string, { label: string }>, write = (name: string) => name) =>
  Object.entries(kinds).map(([name, { label }]) => ({ value: write(name), label }))

/** What the audit trail is about, by group: accounts, entries of the catalogue, and what has a live object. */
export const subjects = [
  {
    group: 'Accounts',
    items: [
      { value: 'user', label: 'User' },
      { value: 'token', label: 'Token' },
      { value: 'workspace', label: 'Workspace' },
      { value: 'reseller', label: 'Reseller' },
    ],
  },
  { group: 'Catalogue', items: named(catalogueKinds, pathOf) },
  { group: 'Voice platform', items: named(liveKinds) },
]
