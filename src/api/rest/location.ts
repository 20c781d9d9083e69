import { isObject } from '../../json/object.ts'
import type { Operation } from '../operations.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The id of what was made, as the path of its read names it. */
function idIn(result: unknown, parameter: string): string | undefined {
  const data = isObject(result) && isObject(result.data) ? result.data : result
  if (!isObject(data)) return undefined
  for (const key of [snake(parameter), 'uid', 'id', 'external_squad_id']) {
    const id = data[key]
    if (typeof id === 'string' || typeof id === 'number') return String(id)
  }
  return undefined
}

/** Where what an operation makes is read: the path below its own that ends in an id; undefined when there is none. */
export function locationOf(operation: Operation, operations: readonly Operation[]) {
  if (operation.meta.status !== 201) return undefined
  const read = operations.find(({ methods, path, pathParameters }) => {
    const isBelow = path === `${operation.path}/{${pathParameters.at(-1)}}`
    return isBelow && methods.includes('GET')
  })
  const parameter = read?.pathParameters.at(-1)
  if (parameter === undefined) return undefined
  /** The path of the new resource; the values of the request's own path stand in it as they came. */
  return (url: string, result: unknown): string | undefined => {
    const id = idIn(result, parameter)
    return id && `${new URL(url).pathname.replace(/\/$/, '')}/${encodeURIComponent(id)}`
  }
}
