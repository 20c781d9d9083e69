import { isObject } from '../json/object.ts'
import { reasonOf } from '../runtime/log.ts'
import { mapSecrets } from '../secrets/leaves.ts'

/**
 * What became of a call to the live platform:
 * - `rejected`: a 4xx, nothing was changed;
 * - `not_found`: a 404;
 * - `unavailable`: certainly not done (connection refused, breaker open, 429 until the end);
 * - `unknown`: no usable response, it may or may not have been done, so look it up before judging.
 */
export type PlatformErrorKind = 'rejected' | 'not_found' | 'unavailable' | 'unknown'

/** The embedded platform met a fault of this process, such as of its database, which is the cause. */
export class OwnFault extends Error {
  override readonly name = 'OwnFault'

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause })
  }
}

/**
 * A failed call to the live platform. The cause, where there is one, is a fault of our own. `message` and `detail` hold
 * no key, no URL and no stack.
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly kind: PlatformErrorKind
  /** One short sentence for users. */
  readonly detail: string
  /** The HTTP status, when there was a response. */
  readonly status: number | undefined
  /** The platform's own texts as it sent them; empty when it sent none. */
  readonly messages: string[]

  constructor(
    kind: PlatformErrorKind,
    detail: string,
    response: { status?: number | undefined; messages?: string[]; cause?: OwnFault } = {},
  ) {
    super(detail, response.cause && { cause: response.cause })
    this.kind = kind
    this.detail = detail
    this.status = response.status
    this.messages = response.messages ?? []
  }
}

/** What is said of our right to send it, of the account's funds and of the object as it is, not of the body. */
const ofOther: readonly (number | undefined)[] = [401, 402, 403, 409]

/** Whether the platform judged the body. */
export const judgedBody = ({ kind, status }: PlatformError): boolean => kind === 'rejected' && !ofOther.includes(status)

/** What a call gives, or undefined when the platform says that there is no such object. */
export async function orGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'not_found') return undefined
    throw error
  }
}

const maxDetailLength = 200

/** One line without addresses or credentials, at most 200 characters. */
export function cleanSentence(text: string): string {
  const line = text
    .replace(/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S+/gi, 'the address')
    .replace(/\b(bearer|basic)\s+\S+/gi, '$1 ***')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length > maxDetailLength ? `${characters.slice(0, maxDetailLength - 1).join('')}…` : line
}

/** The texts of both error shapes: `message` is a string, or an array of strings for validation errors. */
function messagesOf(body: unknown): string[] {
  if (!isObject(body)) return []
  const { message } = body
  if (typeof message === 'string') return [message]
  if (Array.isArray(message)) return message.filter((item) => typeof item === 'string')
  return []
}

/** A shorter secret may be a word of any sentence. */
const minSecretLength = 6

/** Texts without the secrets of what was sent, which the platform may repeat. */
function withoutSecretsOf(sent: object | undefined, texts: string[]): string[] {
  const secrets = new Set<string>()
  mapSecrets(sent, (text) => {
    if (text.length >= minSecretLength) secrets.add(text)
    return text
  })
  const byLength = [...secrets].sort((one, other) => other.length - one.length)
  return texts.map((text) => byLength.reduce((said, secret) => said.replaceAll(secret, '***'), text))
}

/**
 * The error for a response that is not a success. It repeats no secret of the request.
 * @param body the parsed response, or undefined when it was no JSON
 * @param sent the body of the request
 */
export function errorFromResponse(status: number, body: unknown, sent?: object): PlatformError {
  const messages = withoutSecretsOf(sent, messagesOf(body))
  const response = { status, messages }
  if (status === 404) return new PlatformError('not_found', 'The voice platform does not know this object.', response)
  if (status === 401) {
    return new PlatformError('rejected', 'The voice platform refused the configured API key.', response)
  }
  if (status === 429)
    return new PlatformError('unavailable', 'The voice platform is receiving too many requests.', response)
  if (status >= 400 && status < 500 && status !== 408) {
    const detail = cleanSentence(messages[0] ?? '') || `The voice platform rejected the request (status ${status}).`
    return new PlatformError('rejected', detail, response)
  }
  return new PlatformError('unknown', `The voice platform failed to answer (status ${status}).`, response)
}

/** Error codes of a connection that was never made, so that nothing was sent. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'FailedToOpenSocket',
])

/** Whether a failed fetch ended before anything was sent; reads `code` along the chain of causes. */
export function wasNeverSent(failure: unknown): boolean {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && neverConnected.has(cause.code)) return true
  }
  return false
}
