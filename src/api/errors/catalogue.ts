import { accounts } from './catalogue/accounts.ts'
import { agents } from './catalogue/agents.ts'
import { requests } from './catalogue/requests.ts'
import { voice } from './catalogue/voice.ts'
import type { ErrorEntry } from './entry.ts'

/** Every error that the API responds with, once. */
const catalogue = { ...requests, ...accounts, ...voice, ...agents }

export type ErrorName = keyof typeof catalogue

export const errorNames = Object.keys(catalogue) as ErrorName[]

/** The catalogue's entry of a name. */
export const errorEntry = (name: ErrorName): ErrorEntry => catalogue[name]
