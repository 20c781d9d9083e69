import type { RecordedCall } from './record.ts'

interface Operation {
  'x-trpc-procedure'?: string
  parameters?: ({ name: string; in: string } | { $ref: string })[]
}

/** The part of the API's description that examples need. */
export interface Description {
  paths: Record<string, Record<string, Operation>>
}

interface Route {
  method: string
  path: string
  operation: Operation
}

function routeOf({ paths }: Description, procedure: string): Route | undefined {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation['x-trpc-procedure'] === procedure) return { method: method.toUpperCase(), path, operation }
    }
  }
  return undefined
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const fieldsOf = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {}

/** The line that makes the same call with curl; inputs are flat: path, query and body fields in one object. */
export function curlOf(description: Description, server: string, { path: procedure, input }: RecordedCall): string {
  const route = routeOf(description, procedure)
  if (!route) return `# ${procedure} has no path of its own.`
  const rest = fieldsOf(input)
  const path = route.path.replace(/\{(\w+)\}/g, (_hole, name: string) => {
    const value = encodeURIComponent(String(rest[name]))
    delete rest[name]
    return value
  })
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
  const isRead = route.method === 'GET' || route.method === 'DELETE'
  const query = new URLSearchParams(isRead ? fields.map(([name, value]) => [name, String(value)]) : []).toString()
  const lines = [
    `curl ${route.method === 'GET' ? '' : `-X ${route.method} `}${quoted(`${server}${path}${query && `?${query}`}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
  ]
  if (!isRead)
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(Object.fromEntries(fields)))}`)
  return lines.join(' \\\n  ')
}

/** The same call with the typed client. */
export function typescriptOf({ path, type, input }: RecordedCall): string {
  const argument = input === undefined ? '' : JSON.stringify(input, null, 2)
  return `await api.${path}.${type === 'mutation' ? 'mutate' : 'query'}(${argument})`
}
