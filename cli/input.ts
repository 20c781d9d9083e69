import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { isObject, type Json } from '../src/json/object.ts'
import { CommandError, usageError } from './error.ts'
import type { Field, OperationCommand } from './operations.ts'
import { pathSegment } from './path.ts'

/** The options of every command. */
export const commonOptions = {
  url: { type: 'string' },
  key: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
  body: { type: 'string' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
} as const

export interface CommonOptions {
  url?: string
  key?: string
  profile?: string
  json?: boolean
  body?: string
  output?: string
  help?: boolean
}

/** What is sent: the path with its values, and the query or body. */
export interface Prepared {
  path: string
  body: string | FormData | undefined
  headers?: Record<string, string>
}

/** A flag's name: the field's own, and in kebab case. */
export const flagOf = ({ name }: Pick<Field, 'name'>) =>
  name.replace(/_/g, '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `@file` reads the file, as everywhere where a text may be long. */
function textOf(value: string): string {
  if (!value.startsWith('@')) return value
  try {
    return readFileSync(value.slice(1), 'utf8')
  } catch {
    throw new CommandError(`${value.slice(1)} cannot be read.`)
  }
}

function fieldValue(field: Field, given: string | boolean): unknown {
  if (typeof given === 'boolean') return given
  switch (field.type) {
    case 'number':
      if (given.trim() === '' || Number.isNaN(Number(given))) throw usageError(`--${flagOf(field)} must be a number.`)
      return Number(given)
    case 'json':
      try {
        return JSON.parse(textOf(given))
      } catch (error) {
        if (error instanceof CommandError) throw error
        throw usageError(`--${flagOf(field)} must be JSON, or @file with JSON in it.`)
      }
    case 'file':
      return new File([readFileSync(given)], basename(given))
    default:
      return given === 'null' ? null : textOf(given)
  }
}

/** `parseArgs` of Node. Throws a usage error for what it does not take. */
export function parsedArguments<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

/** Reads a command's arguments: required path values may stand without their flag, in order. */
export function readArguments(command: OperationCommand, args: string[]) {
  const taken = new Set(Object.keys(commonOptions))
  const flags = new Map<string, Field>()
  // A field that is called as a common option is set with --body.
  for (const field of command.fields) if (!taken.has(flagOf(field))) flags.set(flagOf(field), field)
  const options = Object.fromEntries(
    [...flags].map(([flag, { type }]) => [
      flag,
      { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const { values, positionals } = parsedArguments({
    args,
    options: { ...options, ...commonOptions } as NonNullable<ParseArgsConfig['options']>,
    allowPositionals: true,
    allowNegative: true,
  })
  const given: Json = {}
  for (const [flag, field] of flags) {
    const value = values[flag]
    if (typeof value === 'string' || typeof value === 'boolean') given[field.name] = fieldValue(field, value)
  }
  const unset = command.fields.filter((field) => field.in === 'path' && given[field.name] === undefined)
  positionals.forEach((value, index) => {
    const field = unset[index]
    if (!field) throw usageError(`What is "${value}"?`)
    given[field.name] = fieldValue(field, value)
  })
  return { common: values as CommonOptions, given }
}

/** The request that a command's values make. Throws CommandError for a path value that is missing. */
export function prepare(command: OperationCommand, given: Json, bodyText: string | undefined): Prepared {
  let path = command.path
  const query = new URLSearchParams()
  const body: Json = bodyText === undefined ? {} : parsedBody(bodyText)
  for (const field of command.fields) {
    const value = given[field.name]
    if (value === undefined) {
      if (field.in === 'path') throw usageError(`--${flagOf(field)} is required.`)
      continue
    }
    if (field.in === 'path') path = path.replace(`{${field.name}}`, pathSegment(String(value)))
    else if (field.in === 'query') query.set(field.name, String(value))
    else body[field.name] = value
  }
  const url = query.size > 0 ? `${path}?${query}` : path
  if (command.method === 'GET' || command.method === 'DELETE') return { path: url, body: undefined }
  if (!Object.values(body).some((value) => value instanceof File)) return { path: url, body: JSON.stringify(body) }
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.set(name, value instanceof File ? value : String(value))
  return { path: url, body: form }
}

function parsedBody(text: string): Json {
  const source = text === '-' ? readFileSync(0, 'utf8') : textOf(text)
  try {
    const value: unknown = JSON.parse(source)
    if (isObject(value)) return value
  } catch {
    // Said below.
  }
  throw usageError('--body must be a JSON object, @file with one in it, or - for the standard input.')
}
