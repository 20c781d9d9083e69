import { z } from 'zod'
import { Written, writable } from './written.ts'

/** Says that a value is not plainly valid: the schema itself then judges it. */
export const unsure = Symbol('unsure')

/** Gives what the schema would give for a valid value, or `unsure`. */
export type Copy = (value: unknown) => unknown

const isObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isRecord = (value: unknown) => isObject(value) && !Object.hasOwn(value, '__proto__')

/** By the schema itself, without the error report. */
const judgedBy =
  (schema: z.ZodType): Copy =>
  (value) => {
    const result = schema._zod.run({ value, issues: [] }, { async: false })
    return result instanceof Promise || result.issues.length > 0 ? unsure : result.value
  }

/** By the checks that a schema adds to its kind. */
const checkedBy =
  (checks: readonly z.core.$ZodCheck<never>[]): Copy =>
  (value) => {
    const payload: z.core.ParsePayload = { value, issues: [] }
    for (const check of checks) {
      if (check._zod.check(payload as z.core.ParsePayload<never>) instanceof Promise) return unsure
      if (payload.issues.length > 0) return unsure
    }
    return payload.value
  }

/** Of any text, not of a format. */
const isText = (schema: unknown) =>
  schema instanceof z.ZodString && schema.constructor === z.ZodString && schema.format === null

/** Of any text at all. */
const isAnyText = (schema: unknown) => isText(schema) && ((schema as z.ZodString).def.checks ?? []).length === 0

/** Of any number of keys. */
const isPlainRecord = (schema: z.ZodType): schema is z.ZodRecord => schema.constructor === z.ZodRecord

/** Of what may be left out and is then nothing, not a default. */
const isOptional = (schema: z.ZodType): schema is z.ZodOptional =>
  schema instanceof z.ZodOptional && schema.unwrap()._zod.optin === undefined

/**
 * The source of one `Copy`, statement by statement. Each part takes the name of the variable that holds a value and
 * gives the name of the one that holds its copy. Names of fields are quoted, and all else from outside comes in as an
 * argument: no text of a schema gets into the code.
 */
export class CopySource {
  private readonly lines: string[] = []
  private readonly outside: unknown[] = [unsure, isObject, isRecord, Written]
  private readonly outsideNames = ['unsure', 'isObject', 'isRecord', 'Written']
  private variables = 0

  private variable(): string {
    this.variables += 1
    return `v${this.variables}`
  }

  private argument(value: unknown): string {
    const name = `a${this.outside.length}`
    this.outside.push(value)
    this.outsideNames.push(name)
    return name
  }

  private require(condition: string): void {
    this.lines.push(`if (!(${condition})) return unsure`)
  }

  private by(copy: Copy, value: string): string {
    const copied = this.variable()
    this.lines.push(`const ${copied} = ${this.argument(copy)}(${value})`)
    this.require(`${copied} !== unsure`)
    return copied
  }

  private unless(empty: 'null' | 'undefined', value: string, inner: z.ZodType): string {
    const copied = this.variable()
    this.lines.push(`let ${copied} = ${value}`, `if (${copied} !== ${empty}) {`)
    this.lines.push(`${copied} = ${this.copy(inner, value)}`, '}')
    return copied
  }

  /** What is there goes to the inner schema, what is not to the default itself. */
  private orDefault(schema: z.ZodDefault, value: string): string {
    const copied = this.variable()
    this.lines.push(`let ${copied}`, `if (${value} === undefined) {`)
    this.lines.push(`${copied} = ${this.by(judgedBy(schema), value)}`, '} else {')
    this.lines.push(`${copied} = ${this.copy(schema.unwrap() as z.ZodType, value)}`, '}')
    this.require(`${copied} !== undefined`)
    return copied
  }

  private array(element: z.ZodType, value: string): string {
    const [copied, item] = [this.variable(), this.variable()]
    this.require(`Array.isArray(${value})`)
    this.lines.push(`const ${copied} = []`, `for (const ${item} of ${value}) {`)
    this.lines.push(`${copied}.push(${this.copy(element, item)})`, '}')
    return copied
  }

  private object(schema: z.ZodObject, value: string): string {
    const copied = this.variable()
    this.require(`isObject(${value})`)
    this.lines.push(`const ${copied} = {}`)
    for (const [name, type] of Object.entries(schema.shape)) {
      const key = JSON.stringify(name)
      const field = this.variable()
      const present = `${field} !== undefined || ${key} in ${value}`
      this.lines.push(`const ${field} = ${value}[${key}]`)
      const optional = isOptional(type as z.ZodType)
      if (optional) this.lines.push(`if (${present}) {`)
      else if (!(type instanceof z.ZodDefault)) this.require(present)
      this.lines.push(`${copied}[${key}] = ${this.copy(type as z.ZodType, field)}`)
      if (optional) this.lines.push('}')
    }
    return copied
  }

  /** The condition of a kind whose valid values are their own copies. */
  private condition(schema: z.ZodType, value: string): string | undefined {
    if (isText(schema)) return `typeof ${value} === 'string'`
    if (schema instanceof z.ZodUUID && schema.def.pattern)
      return `typeof ${value} === 'string' && ${this.argument(schema.def.pattern)}.test(${value})`
    if (schema instanceof z.ZodNumberFormat)
      return schema.format === 'safeint' ? `Number.isSafeInteger(${value})` : undefined
    if (schema.constructor === z.ZodNumber) return `Number.isFinite(${value})`
    if (schema instanceof z.ZodBoolean) return `typeof ${value} === 'boolean'`
    if (schema instanceof z.ZodUnknown) return 'true'
    if (schema instanceof z.ZodLiteral) return `${this.argument(schema.values)}.has(${value})`
    if (schema instanceof z.ZodEnum) return `${this.argument(new Set<unknown>(schema.options))}.has(${value})`
    const isRecordOfAny = isPlainRecord(schema) && isAnyText(schema.keyType)
    if (isRecordOfAny && schema.valueType instanceof z.ZodUnknown) return `isRecord(${value})`
    return undefined
  }

  /** The kinds that most of a response is made of, without their checks. */
  private kind(schema: z.ZodType, value: string): string | undefined {
    if (schema instanceof z.ZodArray) return this.array(schema.element as z.ZodType, value)
    if (schema instanceof z.ZodObject && !schema.def.catchall && !Object.hasOwn(schema.shape, '__proto__'))
      return this.object(schema, value)
    const condition = this.condition(schema, value)
    if (condition === undefined) return undefined
    this.require(condition)
    return value
  }

  private copy(schema: z.ZodType, value: string): string {
    const writtenBy = writable.get(schema)
    if (!writtenBy) return this.copyOfValue(schema, value)
    const copied = this.variable()
    this.lines.push(`let ${copied} = ${value}`)
    this.lines.push(`if (!(${value} instanceof Written && ${value}.schema === ${this.argument(writtenBy)})) {`)
    this.lines.push(`${copied} = ${this.copyOfValue(schema, value)}`, '}')
    return copied
  }

  private copyOfValue(schema: z.ZodType, value: string): string {
    const checks = schema.def.checks ?? []
    const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    if (checks.length > 0 && (isWrapper || schema instanceof z.ZodDefault || schema instanceof z.ZodNonOptional))
      return this.by(judgedBy(schema), value)
    if (isOptional(schema)) return this.unless('undefined', value, schema.unwrap() as z.ZodType)
    if (schema instanceof z.ZodNullable) return this.unless('null', value, schema.unwrap() as z.ZodType)
    if (schema instanceof z.ZodDefault) return this.orDefault(schema, value)
    if (schema instanceof z.ZodNonOptional) {
      const copied = this.copy(schema.unwrap() as z.ZodType, value)
      this.require(`${copied} !== undefined`)
      return copied
    }
    const copied = this.kind(schema, value)
    if (copied === undefined) return this.by(judgedBy(schema), value)
    return checks.length > 0 ? this.by(checkedBy(checks), copied) : copied
  }

  /** The function for a whole value. */
  compile(schema: z.ZodType): Copy {
    const copied = this.copy(schema, 'value')
    const code = `'use strict'\nreturn (value) => {\n${this.lines.join('\n')}\nreturn ${copied}\n}`
    return new Function(...this.outsideNames, code)(...this.outside)
  }
}
