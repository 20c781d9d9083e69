import { isObject } from '../../json/object.ts'
import type { OpenApiDocument } from './types.ts'

/** Parts of the document whose entries stand on lines of their own. */
const listed = new Set(['paths', 'components', 'schemas', 'responses'])

function lines(value: object, indent: string): string {
  const entries = Object.entries(value).map(([name, entry]) => {
    const text = listed.has(name) && isObject(entry) ? lines(entry, `${indent} `) : JSON.stringify(entry)
    return `${indent} ${JSON.stringify(name)}: ${text}`
  })
  return `{\n${entries.join(',\n')}\n${indent}}`
}

/**
 * The document as it is committed and served: a line for each path and component, which is half of the formatted text,
 * and can still be compared.
 */
export const openApiText = (document: OpenApiDocument): string => `${lines(document, '')}\n`
