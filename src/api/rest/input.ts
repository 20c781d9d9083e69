import { z } from 'zod'

/** What a text value must become before the schema judges it; `form` is text of a form that nothing empty has. */
type Kind = 'text' | 'form' | 'integer' | 'number' | 'boolean' | 'list' | 'file'

export interface TextField {
  kind: Kind
  /** For lists: what each item becomes. */
  item: Kind
  nullable: boolean
  /** The schema of the field alone. */
  schema: z.ZodType
}

function unwrap(schema: unknown): { inner: unknown; nullable: boolean } {
  let inner = schema
  let nullable = false
  for (;;) {
    if (inner instanceof z.ZodNullable) {
      nullable = true
      inner = inner.unwrap()
    } else if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
      inner = inner.unwrap()
    } else if (inner instanceof z.ZodPipe) {
      inner = inner.in
    } else {
      return { inner, nullable }
    }
  }
}

/** Whether a text has a form that nothing empty has; that it must not be empty is no form. */
const hasForm = (inner: z.ZodString) =>
  inner.safeParse('').error?.issues.some(({ code }) => code === 'invalid_format' || code === 'custom')

function kindOf(schema: unknown): Kind {
  const { inner } = unwrap(schema)
  if (inner instanceof z.ZodNumber) return inner.isInt ? 'integer' : 'number'
  if (inner instanceof z.ZodBoolean) return 'boolean'
  if (inner instanceof z.ZodArray) return 'list'
  if (inner instanceof z.ZodFile) return 'file'
  if (inner instanceof z.ZodString && hasForm(inner)) return 'form'
  if (inner instanceof z.ZodEnum || inner instanceof z.ZodStringFormat) return 'form'
  return 'text'
}

/** How the fields of an operation's input read text values (path, query, form); derived once, at start. */
export function textFields(inputs: readonly unknown[]): Map<string, TextField> {
  const fields = new Map<string, TextField>()
  for (const input of inputs) {
    if (!(input instanceof z.ZodObject)) continue
    for (const [name, schema] of Object.entries(input.shape)) {
      if (!(schema instanceof z.ZodType)) continue
      const { inner, nullable } = unwrap(schema)
      const item = inner instanceof z.ZodArray ? kindOf(inner.element) : 'text'
      fields.set(name, { kind: kindOf(schema), item, nullable, schema })
    }
  }
  return fields
}

const integer = /^-?\d+$/
const decimal = /^-?\d+\.\d+$/
const { MAX_SAFE_INTEGER } = Number

/** However many digits it has, it is an integer, for a schema that clamps to clamp. */
const integerIn = (value: string) => Math.max(-MAX_SAFE_INTEGER, Math.min(MAX_SAFE_INTEGER, Number(value)))

/** One text value as its kind; what does not convert stays as it is, for the schema to refuse by name. */
function convert(value: string, kind: Kind): unknown {
  if ((kind === 'integer' || kind === 'number') && integer.test(value)) return integerIn(value)
  if (kind === 'number' && decimal.test(value)) return Number(value)
  if (kind === 'boolean') {
    if (value === 'true' || value === '1') return true
    if (value === 'false' || value === '0') return false
  }
  return value
}

/** A text value by its field: an empty one is no value at all, except where the field is a text. */
export function fromText(value: string, field: TextField): unknown {
  if (value === '' && field.kind !== 'text') return field.nullable ? null : undefined
  if (field.kind === 'list') return value.split(',').map((item) => convert(item.trim(), field.item))
  return convert(value, field.kind)
}

/** An item's place, as some clients write it behind the name of a list. Items stay in the order in which they come. */
const place = /\[\d{1,4}\]$/

/** The field that a name in a query string or form means. */
function fieldName(name: string, fields: Map<string, TextField>): string {
  if (name.endsWith('[]')) return name.slice(0, -2)
  const list = name.replace(place, '')
  return fields.get(list)?.kind === 'list' ? list : name
}

/** A file field in which nothing was chosen, as browsers send it: a file without a name and a content. */
const notChosen = (value: string | File) => typeof value !== 'string' && !value.name && value.size === 0

/**
 * Adds the pairs of a query string or form to `input`; repeated names, `name[]` and `name[0]` make lists. Several files
 * under one name make one as well, which the schema refuses by name; of other fields that are no lists the last value
 * counts.
 */
export function addPairs(
  pairs: Iterable<[string, string | File]>,
  fields: Map<string, TextField>,
  skip: ReadonlySet<string>,
  input: Record<string, unknown>,
): void {
  for (const [rawName, value] of pairs) {
    const name = fieldName(rawName, fields)
    const field = fields.get(name)
    if (!field || skip.has(name) || notChosen(value)) continue
    const converted = typeof value === 'string' ? fromText(value, field) : value
    if (converted === undefined) continue
    const earlier = input[name]
    const before = Array.isArray(earlier) ? earlier : earlier instanceof File ? [earlier] : []
    if (field.kind === 'list' && Array.isArray(converted)) input[name] = [...before, ...converted]
    else if (converted instanceof File && before.length > 0) input[name] = [...before, converted]
    else input[name] = converted
  }
}
