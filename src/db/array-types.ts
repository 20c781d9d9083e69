import { makePgArray } from 'drizzle-orm/pg-core/utils'

/** The elements of an array's text, which holds no arrays itself. Drizzle's parser loses backslashes. */
const elements = /"((?:[^"\\]|\\.)*)"|[^,{}]+/gs

const arrayOf = <Element>(to: number, parse: (text: string) => Element) => ({
  to,
  from: [to],
  /** A column of drizzle gives the text already. */
  serialize: (values: Element[] | string) => (typeof values === 'string' ? values : makePgArray(values)),
  parse: (text: string): Element[] =>
    Array.from(text.matchAll(elements), ([plain, quoted]) => parse(quoted?.replace(/\\(.)/gs, '$1') ?? plain)),
})

/**
 * The arrays that statements send and read, by the ids that PostgreSQL has for them everywhere. The driver would ask
 * for those of all types on each new connection, before the first statement.
 */
export const arrayTypes = {
  names: arrayOf(1003, String),
  integers: arrayOf(1007, Number),
  texts: arrayOf(1009, String),
  uuids: arrayOf(2951, String),
}
