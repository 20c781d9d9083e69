import { isObject, type Json } from '../../src/json/object.ts'
import { CommandError } from '../error.ts'
import { type Kind, SecretRef } from './document.ts'

const secretKey = /secret|token|password|api_?key|authorization/i
/** What the server shows in place of a secret in an assistant's history. */
const masked = '••••'

const nameOf = (place: readonly string[]) =>
  place
    .join('_')
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toUpperCase()

function isSecret(path: readonly string[], value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false
  // Every header of a webhook may say who sends it.
  return value === masked || secretKey.test(path.at(-1) ?? '') || path.at(-2) === 'headers'
}

/** A document with references in place of its secrets, named after where they stand. */
export function withReferences(kind: Kind, slug: string, document: Json): Json {
  const walk = (value: unknown, path: string[]): unknown => {
    if (isSecret(path, value)) return new SecretRef(nameOf([kind, slug, ...path]))
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, String(index)]))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]))
  }
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, walk(value, [key])]))
}

type Env = Record<string, string | undefined>

/**
 * Whether the server's value at a reference is what the environment says. What the server masks, and what the
 * environment does not hold, is taken to be the same.
 */
export const isSameSecret = ({ name }: SecretRef, there: unknown, env: Env): boolean =>
  typeof there === 'string' && (there === masked || env[name] === undefined || there === env[name])

/**
 * A document with the secrets in place of their references: from the environment, else as the server shows them.
 * Throws CommandError for one that is neither set nor there.
 */
export function withSecrets(document: Json, there: Json | undefined, env: Env): Json {
  const walk = (value: unknown, known: unknown): unknown => {
    if (value instanceof SecretRef) return env[value.name] ?? (typeof known === 'string' ? known : notSet(value.name))
    if (Array.isArray(value))
      return value.map((item, index) => walk(item, Array.isArray(known) ? known[index] : undefined))
    return isObject(value) ? object(value, isObject(known) ? known : {}) : value
  }
  const object = (value: Json, known: Json): Json =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, known[key])]))
  return object(document, there ?? {})
}

function notSet(name: string): never {
  throw new CommandError(`Set the environment variable ${name}: the secret is not on the server yet.`)
}

/** Refuses a body that holds what the server shows in place of a secret. Throws CommandError. */
export function refuseMasked(body: Json): void {
  if (!JSON.stringify(body).includes(`"${masked}"`)) return
  throw new CommandError('The server does not show a secret that is to be sent again: set its environment variable.')
}
