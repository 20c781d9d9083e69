import { z } from 'zod'
import type { Credential } from '../../webhooks/credentials.ts'

export const SECRETS_KEY_FORM =
  'must be 32 bytes in base64 (openssl rand -base64 32), or several of them with commas between'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** A whole number within bounds. */
export const integer = (max: number, min = 0) => {
  const form = `must be an integer from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, form)
    .transform(Number)
    .pipe(z.number().min(min, form).max(max, form))
}
/** Whole seconds within bounds, as milliseconds. */
export const secondsAsMs = (standard: number, { min = 0, max }: { min?: number; max: number }) =>
  integer(max, min)
    .default(standard)
    .transform((seconds) => seconds * 1000)
/** The base of web addresses that are made by appending a path, without a slash at its end. */
export const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''))
  .refine((url) => !/[?#]/.test(url), 'must be an http or https URL without ? and #')
/** A secret that fits in a header. */
export const token = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
/** The first admin's token, wherever it comes from: nobody guesses it. */
export const adminKey = token.min(32, 'must be at least 32 characters')
export const text = z.string()
/** Values with commas between. */
export const list = text.transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
/** A key of 32 bytes. */
export const secretsKey = text
  .regex(/^[A-Za-z0-9+/]{43}=$/, SECRETS_KEY_FORM)
  .transform((value) => new Uint8Array(Buffer.from(value, 'base64')))
const idOf = (entry: string) => entry.split(':')[0]
const CREDENTIALS_FORM = 'must be a comma-separated list of id:hmac:secret or id:bearer:token'
/** What webhooks are authenticated with, by id. */
export const credentials = list
  .pipe(z.array(z.string().regex(/^[^:\s]+:(hmac|bearer):[\x21-\x7e]+$/, CREDENTIALS_FORM)))
  .refine((entries) => new Set(entries.map(idOf)).size === entries.length, 'must name each id once')
  .transform(
    (entries) =>
      new Map(
        entries.map((entry): [string, Credential] => {
          const [id = '', kind, ...secret] = entry.split(':')
          return [id, { kind: kind === 'bearer' ? 'bearer' : 'hmac', secret: secret.join(':') }]
        }),
      ),
  )
/** An address or a CIDR block. */
export const NetworkAddress = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** A host, an address or a CIDR block. */
export const NetworkPlace = z.union([z.hostname(), NetworkAddress])
export const LogLevel = z.enum(LOG_LEVELS, `must be one of: ${LOG_LEVELS.join(', ')}`)

/** Whether a text is encoded as in URLs. */
export function isUrlEncoded(value: string): boolean {
  try {
    decodeURIComponent(value)
    return true
  } catch {
    return false
  }
}

const sessions = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby']

/** Where a PostgreSQL server is, as the driver reads it. */
export const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// URL', abort: true })
  .refine(
    (url) => isUrlEncoded(url.split('://')[1]?.split(/[?/]/)[0] ?? ''),
    'has a % that encodes nothing: write it as %25',
  )
  .refine(
    (url) => {
      const wanted = new URL(url).searchParams.get('target_session_attrs')
      return wanted === null || sessions.includes(wanted)
    },
    `must have as target_session_attrs one of: ${sessions.join(', ')}`,
  )
