import type { z } from 'zod'
import { isObject } from '../../json/object.ts'

/** A value that its schema has checked, as the text of its JSON: it stands for the value in what goes out as JSON. */
export class Written {
  constructor(
    readonly schema: z.ZodType,
    readonly text: string,
  ) {}

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** The schemas in whose place a written value may stand, each with the one that has checked it. */
export const writable = new WeakMap<z.ZodType, z.ZodType>()

const isWritten = (value: unknown): value is Written => value instanceof Written

/** The text of a value, or of a list of such; undefined for what is not written. */
function textOf(data: unknown): string | undefined {
  if (isWritten(data)) return data.text
  if (!Array.isArray(data) || !isWritten(data[0])) return undefined
  return `[${data.map((item) => (isWritten(item) ? item.text : JSON.stringify(item))).join(',')}]`
}

/** What `JSON.stringify` gives of a response body, around what is written in its `data`. */
export function jsonOf(body: unknown): string {
  const text = isObject(body) ? textOf(body.data) : undefined
  if (text === undefined || !isObject(body)) return JSON.stringify(body)
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  const written = fields.map(
    ([name, value]) => `${JSON.stringify(name)}:${name === 'data' ? text : JSON.stringify(value)}`,
  )
  return `{${written.join(',')}}`
}
