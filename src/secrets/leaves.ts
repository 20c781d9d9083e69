import { isObject } from '../json/object.ts'

/** What is called so says who somebody is, at whatever depth: it is masked for readers and sealed at rest. */
const secretName =
  /secret|token|password|passphrase|(api|access|private|subscription|openai|signing)[-_]?key|authorization|credential|connection[-_]?string|^pem$|^environmentVariables$/i

/** Ids of credentials that lie elsewhere, which say nothing by themselves and which the database looks for. */
const reference = /credential[-_]?ids?$/i

/** Whose entries have names of their owner's choice, any of which may hold a secret. */
const secretHolder = /^(sip)?[-_]?headers$/i

/** The fixed parameters of a tool are a list; those that a model fills in are a schema. */
const isFixed = (name: string, value: unknown) => name === 'parameters' && Array.isArray(value)

/** Whether what a body has under this name is a secret, or an id of one. */
export const namesSecret = (name: string, value: unknown): boolean => secretName.test(name) || isFixed(name, value)

/** A number that is called so is one itself, and no count or limit of them as `maxTokens` is. */
const secretNumber = /(secret|token|password|passphrase|key|authorization|credential)$/i

/** Whether a number under this name is a secret. */
export const namesSecretNumber = (name: string): boolean => secretName.test(name) && secretNumber.test(name)

/** Whether each entry of what a body has under this name may be a secret. */
export const holdsSecrets = (name: string): boolean => secretHolder.test(name)

/** Names that were judged before: bodies have the same ones again and again. */
const judged = new Map<string, boolean>()
const maxJudged = 2_000
const maxJudgedLength = 64

function judge(name: string): boolean {
  const isSecret = (secretName.test(name) && !reference.test(name)) || holdsSecrets(name)
  if (judged.size < maxJudged && name.length <= maxJudgedLength) judged.set(name, isSecret)
  return isSecret
}

const isSecret = (name: string, value: unknown) => (judged.get(name) ?? judge(name)) || isFixed(name, value)

/** Whether any text in a body is a secret. */
export function hasSecrets(value: unknown, within = false): boolean {
  if (typeof value === 'string') return within && value !== ''
  if (Array.isArray(value)) return value.some((item) => hasSecrets(item, within))
  if (!isObject(value)) return false
  for (const name in value) {
    const item = value[name]
    const isNested = typeof item === 'object' && item !== null
    if ((isNested || typeof item === 'string') && hasSecrets(item, within || isSecret(name, item))) return true
  }
  return false
}

/** A body without its secrets: what is called one is left out where there is a text in it. */
export function omitSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitSecrets)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      isSecret(name, item) && hasSecrets(item, true) ? [] : [[name, omitSecrets(item)]],
    ),
  )
}

/**
 * A body with each secret text in it changed; the body itself when none does. What is a secret is said by names alone,
 * so that the same texts are found again whatever became of them.
 */
export function mapSecrets(value: unknown, change: (text: string) => string, within = false): unknown {
  if (typeof value === 'string') return within && value !== '' ? change(value) : value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapSecrets(item, change, within))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, item]) => [name, mapSecrets(item, change, within || isSecret(name, item))] as const,
  )
  return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries)
}
